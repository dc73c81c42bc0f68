/* Memory whose addresses depend only on the thread's own steps. */
#include "runtime.h"
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define REGION (8ul << 30)
#define BASE 0x200000000000ul
#define MAGIC 0x5ab1e
#define KEPT (1u << 31) /* the program has it, and not a library */
#define LOOKED_AT 65536 /* so much of a block is looked at when it is freed */

struct block { u32 class, magic; u64 size; struct block *next[]; /* of what was freed */ };
struct region { char *next, *end; u8 *freed; struct block *spare[512]; };
static struct region regions[THREADS * 4];
static u32 others = THREADS;
static __thread u32 mine;

/* How many bytes of a region are used: fewer if the address space, which all threads share, is limited. */
static u64 room;
static void find_room(void)
{
	struct rlimit most;
	room = REGION;
	if (getrlimit(RLIMIT_AS, &most) == 0)
		while (room > most.rlim_cur / 32 && room > 1 << 20)
			room /= 2;
}
/* A run without dbverify would not fail here. */
static void no_room(void)
{
	if (active)
		unsupported("more than the limit of its address space (ulimit -v) leaves", 0);
}
static char *reserve(u64 at, u64 size)
{
	char *got = mmap((void *)at, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
	if (got == MAP_FAILED) {
		no_room();
		abort();
	}
	return got;
}

static struct region *region(void)
{
	/* The C library's own memory for threads has a region of its own, because the schedule decides who joins an ended thread. */
	u32 at = active && me ? me->inside ? THREADS * 4 - 1 : (u32)me->slot : mine;
	if (!at && !active)
		/* Not under control: every thread has a region of its own as long as some are left. */
		at = mine = __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED) % (THREADS * 4);
	struct region *r = &regions[at];
	if (!r->next) {
		if (!room)
			find_room();
		/* A byte for each 16 bytes of the region: how many of them may be used. */
		r->freed = (u8 *)reserve(0, room / 16);
		r->next = reserve(BASE + at * REGION, room);
		r->end = r->next + room;
	}
	return r;
}

/* Such a byte says: all 16, the first 1 to 15, none (as in a block's head), or none because they were freed. */
enum { ALL = 0, NOTHING = 16, FREED };

static u8 *marks(u64 at)
{
	u64 offset = at - BASE;
	return regions[offset / REGION].freed + offset % REGION / 16;
}

static void mark(void *at, u64 size, u8 what)
{
	memset(marks((u64)at), what, (size + 15) / 16);
}

int in_heap(u64 at) { return at - BASE < THREADS * 4 * REGION && (at - BASE) % REGION < room; }

void mark_freed(u64 at, u64 size)
{
	if (in_heap(at))
		mark((void *)at, size, FREED);
}

/* Whether an address lies in memory that was freed. */
int freed(u64 at)
{
	return in_heap(at) && regions[(at - BASE) / REGION].freed && *marks(at) == FREED;
}

/* Whether an access goes to memory between blocks. */
int beyond(u64 at, u64 size)
{
	if (!size || !in_heap(at) || !in_heap(at + size) || !regions[(at - BASE) / REGION].freed)
		return 0;
	u8 *first = marks(at), *final = marks(at + size - 1);
	for (u8 *m = first; m <= final; m++)
		if (*m == NOTHING || (*m != ALL && *m != FREED && (m < final || (at + size - 1) % 16 >= *m)))
			return 1;
	return 0;
}

u64 kept;

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

static void *allocate(u64 size, u64 align, u64 pc)
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
		r->spare[class] = b->next[0];
		if (ON)
			block_again((u64)(b + 1), size < LOOKED_AT ? size : LOOKED_AT, pc);
		mark(b + 1, size, ALL);
	} else {
		u64 at = ((u64)r->next + sizeof *b + align - 1) & ~(align - 1);
		if (at + rounded > (u64)r->end) {
			if (room < REGION)
				no_room();
			errno = ENOMEM;
			return 0;
		}
		b = (struct block *)at - 1;
		r->next = (char *)at + rounded;
		mark(b, sizeof *b, NOTHING);
		if (r->next < r->end)
			mark(r->next, 1, NOTHING);
		b->class = align <= 16 ? class : 0;
	}
	b->magic = MAGIC;
	b->size = size;
	if (size % 16)
		mark((char *)(b + 1) + size, 1, size % 16);
	u64 whole = (size + 15) / 16 * 16;
	mark((char *)(b + 1) + whole, rounded - whole, NOTHING);
	return b + 1;
}

/* The program gets a block. */
static void *keep(void *at, u64 pc)
{
	if (at && ON && of_program(pc))
		((struct block *)at)[-1].class |= KEPT, kept++;
	return at;
}

static void *aligned(u64 align, u64 size, u64 pc) { return keep(allocate(size, align < 16 ? 16 : align, pc), pc); }
API void *malloc(size_t size)
{
	if (ON)
		called(PC);
	return keep(allocate(size, 16, PC), PC);
}
API void *memalign(size_t align, size_t size) { return aligned(align, size, PC); }
API void *aligned_alloc(size_t align, size_t size) { return aligned(align, size, PC); }
API void *valloc(size_t size) { return aligned(4096, size, PC); }
API int posix_memalign(void **at, size_t align, size_t size)
{
	*at = aligned(align, size, PC);
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
	if (ON)
		called(PC);
	char *got = allocate(all, 16, PC);
	if (got && got < fresh)
		memset(got, 0, all);
	return keep(got, PC);
}

API void free(void *at)
{
	if (!at)
		return;
	if (ON)
		called(PC);
	struct block *b = (struct block *)at - 1;
	if (ON && (b->magic == MAGIC || b->magic == MAGIC + 1))
		/* Other threads may come first and free the block. */
		free_block((u64)at, b->size < LOOKED_AT ? b->size : LOOKED_AT, PC);
	if (b->magic != MAGIC) {
		if (ON)
			misuse(b->magic == MAGIC + 1 ? "memory is freed twice" : "what is freed was not allocated", PC);
		return;
	}
	if (b->class & KEPT)
		b->class &= ~KEPT, kept--;
	if (!b->class || (active && me && me->inside))
		return;
	b->magic = MAGIC + 1;
	mark(at, b->size < LOOKED_AT ? b->size : LOOKED_AT, FREED);
	struct region *r = region();
	b->next[0] = r->spare[b->class];
	r->spare[b->class] = b;
}

API size_t malloc_usable_size(void *at) { return at ? ((struct block *)at - 1)->size : 0; }

static void *again(void *old, u64 size, u64 pc)
{
	if (ON)
		called(pc);
	if (!old)
		return keep(allocate(size, 16, pc), pc);
	if (!size) {
		free(old);
		return 0;
	}
	u64 had = malloc_usable_size(old);
	void *got = allocate(size, 16, pc);
	if (!got)
		return 0;
	memcpy(got, old, had < size ? had : size);
	free(old);
	return keep(got, pc);
}
API void *realloc(void *old, size_t size) { return again(old, size, PC); }

API void *reallocarray(void *old, size_t count, size_t size)
{
	u64 all;
	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return 0;
	}
	return again(old, all, PC);
}

/* Pages that a thread asks for lie in a part of its own, and are not used again. */
#define PAGES 0x400000000000ul
/* A file that is shared at two places: a write at one of them is seen at the other one. */
static void at_two_places(int file)
{
	static struct { u64 device, number; } known[64];
	struct stat at;
	if (fstat(file, &at))
		return;
	int i = 0;
	while (i < 64 && known[i].number && (known[i].number != at.st_ino || known[i].device != at.st_dev))
		i++;
	if (i == 64 || known[i].number)
		uncontrolled("mmap");
	else
		known[i].number = at.st_ino, known[i].device = at.st_dev;
}
API void *mmap(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
	REAL(void *, mmap);
	if (ON && (flags & MAP_TYPE) != MAP_PRIVATE && !(flags & MAP_ANONYMOUS))
		at_two_places(file);
	if (ON && !at) {
		void *own = (void *)(PAGES + ((u64)me->slot << 36) + me->mapped);
		void *got = mmap_(own, size, rights, flags | MAP_FIXED_NOREPLACE, file, offset);
		if (got != MAP_FAILED) {
			me->mapped += (size + 8191) & ~4095ul;
			return got;
		}
	}
	return mmap_(at, size, rights, flags, file, offset);
}
API void *mmap64(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
	return mmap(at, size, rights, flags, file, offset);
}
API int munmap(void *at, size_t size)
{
	REAL(int, munmap);
	if (ON) {
		called(PC);
		free_block((u64)at, size < LOOKED_AT ? size : LOOKED_AT, PC);
		put_value();
	}
	return munmap_(at, size);
}
API int mprotect(void *at, size_t size, int rights)
{
	REAL(int, mprotect);
	if (ON)
		put_value();
	return mprotect_(at, size, rights);
}
API void *mremap(void *at, size_t size, size_t wanted, int flags, ...)
{
	REAL(void *, mremap);
	if (ON)
		unsupported("mremap", PC);
	va_list list;
	va_start(list, flags);
	void *to = va_arg(list, void *);
	va_end(list);
	return mremap_(at, size, wanted, flags, to);
}
