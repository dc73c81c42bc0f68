/* Memory at addresses that depend on nothing but what a thread itself has done. */
#include "runtime.h"
#include <sys/mman.h>

#define REGION (8ul << 30)
#define BASE 0x200000000000ul
#define MAGIC 0x5ab1e
#define LOOKED_AT 65536 /* so much of a block is looked at when it is freed */

struct block { u32 class, magic; union { u64 size; struct block *next; }; };
struct region { char *next, *end; u8 *freed; struct block *spare[512]; };
static struct region regions[THREADS * 4];
static u32 others = THREADS;
static __thread u32 mine;

static struct region *region(void)
{
	/* What the C library keeps of threads has a region of its own: who joins an ended thread depends on the schedule. */
	u32 at = active && me ? me->inside ? THREADS * 4 - 1 : (u32)me->slot : mine;
	if (!at && !active)
		/* Not under control: every thread has a region of its own as long as there are some. */
		at = mine = __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED) % (THREADS * 4);
	struct region *r = &regions[at];
	if (!r->next) {
		r->next = mmap((void *)(BASE + at * REGION), REGION, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		if (r->next == MAP_FAILED)
			abort();
		r->end = r->next + REGION;
		/* A byte for each 16: whether they are freed. */
		r->freed = mmap(0, REGION / 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (r->freed == MAP_FAILED)
			abort();
	}
	return r;
}

static void mark(void *at, u64 size, u8 freed)
{
	u64 offset = (u64)at - BASE;
	u8 *marks = regions[offset / REGION].freed + offset % REGION / 16;
	for (u64 i = 0; i < (size + 15) / 16; i++)
		marks[i] = freed;
}

int in_heap(u64 at) { return at - BASE < THREADS * 4 * REGION; }

/* Whether an address lies in memory that was freed. */
int freed(u64 at)
{
	u64 offset = at - BASE;
	if (!in_heap(at) || !regions[offset / REGION].freed)
		return 0;
	return regions[offset / REGION].freed[offset % REGION / 16];
}

static u32 class_of(u64 size, u64 *rounded)
{
	if (size <= 1024) {
		*rounded = (size + 15) & ~15ul;
		return *rounded / 16;
	}
	u32 top = 63 - __builtin_clzl(size - 1);
	u64 step = 1ul << (top - 2);
	*rounded = (size + step - 1) & ~(step - 1);
	return 64 + (top - 10) * 8 + (*rounded >> (top - 2));
}

static void *allocate(u64 size, u64 align)
{
	u64 rounded;
	struct region *r = region();
	if (size >= REGION / 2) {
		errno = ENOMEM;
		return 0;
	}
	u32 class = class_of(size ? size : 1, &rounded);
	struct block *b = align <= 16 ? r->spare[class] : 0;
	if (b) {
		r->spare[class] = b->next;
		mark(b + 1, rounded, 0);
	} else {
		u64 at = ((u64)r->next + sizeof *b + align - 1) & ~(align - 1);
		if (at + rounded > (u64)r->end) {
			errno = ENOMEM;
			return 0;
		}
		b = (struct block *)at - 1;
		r->next = (char *)at + rounded;
		b->class = align <= 16 ? class : 0;
	}
	b->magic = MAGIC;
	b->size = size;
	return b + 1;
}

API void *malloc(size_t size) { return allocate(size, 16); }
API void *memalign(size_t align, size_t size) { return allocate(size, align < 16 ? 16 : align); }
API void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
API void *valloc(size_t size) { return memalign(4096, size); }
API int posix_memalign(void **at, size_t align, size_t size)
{
	*at = memalign(align, size);
	return *at ? 0 : ENOMEM;
}

API void *calloc(size_t count, size_t size)
{
	u64 all;
	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return 0;
	}
	struct region *r = region();
	char *fresh = r->next;
	char *got = malloc(all);
	if (got && got < fresh)
		memset(got, 0, all);
	return got;
}

API void free(void *at)
{
	if (!at)
		return;
	if (ON)
		called(PC);
	struct block *b = (struct block *)at - 1;
	if (ON && b->magic == MAGIC)
		/* Others may come first, and free it. */
		free_block((u64)at, b->size < LOOKED_AT ? b->size : LOOKED_AT, PC);
	if (b->magic != MAGIC) {
		if (ON)
			misuse(b->magic == MAGIC + 1 ? "memory is freed twice" : "what is freed was not allocated", PC);
		return;
	}
	if (!b->class || (active && me && me->inside))
		return;
	b->magic = MAGIC + 1;
	mark(at, b->size < LOOKED_AT ? b->size : LOOKED_AT, 1);
	struct region *r = region();
	b->next = r->spare[b->class];
	r->spare[b->class] = b;
}

API size_t malloc_usable_size(void *at) { return at ? ((struct block *)at - 1)->size : 0; }

API void *realloc(void *old, size_t size)
{
	if (!old)
		return malloc(size);
	if (ON)
		called(PC);
	u64 had = malloc_usable_size(old);
	void *got = malloc(size);
	if (!got)
		return 0;
	memcpy(got, old, had < size ? had : size);
	free(old);
	return got;
}

API void *reallocarray(void *old, size_t count, size_t size)
{
	u64 all;
	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return 0;
	}
	return realloc(old, all);
}
