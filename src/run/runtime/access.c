/* The accesses to memory and atomic operations that the compiler reports. A plain access is a step of its own where it
   races. Everywhere else a lock or another operation orders it, so its place in the schedule makes no difference. */
#include "runtime.h"

extern char __ehdr_start[] __attribute__((visibility("hidden"))), etext[] __attribute__((visibility("hidden")));
#define OURS(pc) ((pc) >= (u64)__ehdr_start && (pc) < (u64)etext)

static struct granule *find(u64 key, u32 unit)
{
	u32 at = (key * 0x9e3779b97f4a7c15u) >> 44;
	while (shared->granule[at].key && shared->granule[at].key != key)
		at = (at + 1) % GRANULES;
	struct granule *g = &shared->granule[at];
	if (!g->key) {
		if (++shared->used > GRANULES / 2)
			unsupported("more than 4 MiB of memory that is accessed", 0);
		g->key = key;
		g->unit = unit;
	}
	return g;
}

/* Finds a word. The smallest access to it says how large its parts are. */
static struct granule *granule(u64 at, u64 size)
{
	u32 unit = size >= 8 ? 8 : size;
	while (unit & (unit - 1))
		unit &= unit - 1;
	while (at & (unit - 1))
		unit /= 2;
	struct granule *g = find(at >> 3, unit);
	if (unit < g->unit) {
		g->unit = unit;
		if (g->shared || g->visible)
			shared->found++;
	}
	return g;
}

/* Marks the words whose accesses are steps, because the checker has found that they race. */
void show_granules(void)
{
	for (u64 i = 0; i < shared->visible_len; i++)
		find(shared->visible[i] >> 3, 8)->visible = 1;
}

static void seen(struct granule *g, int write)
{
	g->written |= write;
	if (!g->first)
		g->first = me->slot + 1;
	g->several |= g->first != me->slot + 1;
	if (!g->shared && g->written && g->several) {
		g->shared = 1;
		shared->found++;
	}
}

/* An access that is no step. If other threads touch the place, too, the log tells the checker, which sees whether the
   accesses are ordered. */
static void silent(struct granule *g, u64 at, u64 size, int write, u64 pc)
{
	if (write && (at < (u64)__builtin_frame_address(0) || at >= (u64)me->bottom))
		disturbed();
	seen(g, write);
	u64 *in = write ? &g->written_in : &g->read_in;
	/* The bytes that the log has told of in this segment. */
	u64 bytes = ((1u << size) - 1) << (at & 7), told = *in >> 8 == shared->segment ? *in & 255 : 0;
	if (!g->shared || (told & bytes) == bytes)
		return;
	*in = shared->segment << 8 | told | bytes;
	put_calls();
	for (u32 i = 0; i < size; i += g->unit) {
		put(L_ACCESS | (u64)me->slot << 8);
		put(cell_of(MEMORY, at + i) | (u64)write << 63);
		put(pc);
	}
}

/* Adds the parts of an access that are steps: all parts of an atomic operation, else those that race. */
static int cells(struct op *o, u64 at, u64 size, int write, int atomic)
{
	int visible = 0;
	for (u64 end = at + size; at < end;) {
		u64 here = 8 - (at & 7);
		if (here > end - at)
			here = end - at;
		struct granule *g = granule(at, here);
		if (atomic || g->visible) {
			if (atomic)
				seen(g, write);
			for (u32 i = 0; i < here; i += g->unit)
				touch(o, cell_of(MEMORY, at + i), write);
			visible = 1;
		} else
			silent(g, at, here, write, o->pc);
		at += here;
	}
	return visible;
}

void access_cells(struct op *o, u64 at, u64 size, int write) { cells(o, at, size, write, 1); }

/* Notes that a lock or another object lies in the heap: `free` writes it, too. */
void seen_object(u64 at)
{
	struct granule *g = find(at >> 3, 8);
	u8 half = 1 << (at >> 2 & 1);
	if (!(g->object & half))
		g->object |= half, shared->found++;
}

/* `free` writes the whole block: a step where an access to the block races with it. */
void free_block(u64 at, u64 size, u64 pc)
{
	struct op o = {.kind = FREE, .pc = pc, .obj = at};
	u64 from = at;
	for (u64 end = at + size; at < end; at += 8) {
		cells(&o, at, end - at < 8 ? end - at : 8, 1, 0);
		for (int half = 0; half < 2; half++)
			if (find(at >> 3, 8)->object >> half & 1) {
				touch(&o, cell_of(OBJECT, at + 4 * half), 1);
				touch(&o, cell_of(TAKES, at + 4 * half), 1);
			}
		if (o.cells && (o.cells > CELLS - 12 || at + 8 >= end)) {
			point(&o);
			/* Another object may lie here later. */
			for (int i = 0; i < o.cells; i++)
				if (o.cell[i].cell >> 56 == OBJECT)
					forget(o.cell[i].cell);
			event(&o, 0);
			o.cells = 0;
			mark_freed(from, at + 8 < end ? at + 8 - from : end - from);
		}
	}
}

/* Others may come between a `free` and the next use of its memory. Where they race with the `free`, the next use is a
   step, too. */
void block_again(u64 at, u64 size, u64 pc)
{
	struct op o = {.kind = REUSE, .pc = pc, .obj = at};
	for (u64 end = at + size; at < end && o.cells < CELLS - 8; at += 8) {
		struct granule *g = find(at >> 3, 8);
		for (u32 i = 0; g->visible && i < 8; i += g->unit)
			touch(&o, cell_of(MEMORY, at + i), 1);
	}
	if (o.cells) {
		point(&o);
		event(&o, 0);
	}
}

/* How many bytes of a text are read: those up to the first one for which `stop` has a 1. */
static u64 up_to(u64 at, u64 size, const u8 *stop)
{
	for (u64 i = 0; stop && i < size; i++)
		if (stop[((volatile u8 *)at)[i]])
			return i + 1;
	return size;
}

/* Makes an access and returns its size. `also` is where a copy reads from; `stop` says which bytes end a text. */
static u64 accesses(int kind, u64 at, u64 size, u64 also, const u8 *stop, u64 pc)
{
	struct op o = {.kind = kind, .pc = pc, .obj = at};
	/* Before an access that races has its turn, others may free the memory or move the end of a text. */
	if (!stop || !find(at >> 3, 8)->visible)
		size = up_to(at, size, stop), stop = 0;
	int write = kind != READ, step = cells(&o, at, size, write, 0);
	if (also)
		step |= cells(&o, also, size, 0, 0);
	if (step)
		point(&o);
	if (stop) {
		size = up_to(at, size, stop);
		granule(at, size);
		while (o.cells && o.cell[o.cells - 1].cell >= cell_of(MEMORY, at + size))
			o.cells--;
	}
	if (freed(at) || freed(also))
		misuse("memory is used that was freed", pc);
	if (beyond(at, size) || beyond(also, size))
		misuse("memory is used beyond what was allocated", pc);
	if (step) {
		u64 value = 0;
		shared->wholes |= size > 8;
		if (kind == WRITE)
			me->wrote_at = at, me->wrote_size = size;
		else
			for (u32 i = 0; kind == READ && i < size && i < 8; i++)
				value |= (u64)((volatile u8 *)at)[i] << 8 * i;
		event(&o, value);
	}
	return size;
}

/* A thread that reads for long without a step may be waiting for others. */
static void long_without_a_step(u64 pc)
{
	if (++me->quiet == 1 << 18) {
		struct op o = {.kind = YIELD, .pc = pc, .yields = 1};
		me->calls--;
		point(&o);
		event(&o, 0);
	}
}
static void counted(u64 pc)
{
	called(pc);
	long_without_a_step(pc);
}

static void plain(u64 at, u64 size, int write, u64 pc)
{
	if (!ON)
		return;
	counted(pc);
	accesses(write ? WRITE : READ, at, size, 0, 0, pc);
}

/* An access to a whole structure. For a copy the compiler reports the write, then the read, and copies then. The old value
   stays until then: so the write counts as a look at it, and the report of the read makes the write again. */
static void whole(u64 at, u64 size, int write, u64 pc)
{
	if (!ON)
		return;
	u64 to = !write && me->copy_size == size ? me->copy_to : 0;
	counted(pc);
	if (to)
		accesses(FILL, to, size, at, 0, pc);
	else
		accesses(write ? FILL : READ, at, size, 0, 0, pc);
	if (write)
		me->copy_to = at, me->copy_size = size;
}

#define ACCESS(n) \
	API void __tsan_read##n(void *a) { plain((u64)a, n, 0, PC); } \
	API void __tsan_write##n(void *a) { plain((u64)a, n, 1, PC); } \
	API void __tsan_read##n##_pc(void *a, u64 pc) { plain((u64)a, n, 0, pc); } \
	API void __tsan_write##n##_pc(void *a, u64 pc) { plain((u64)a, n, 1, pc); } \
	API void __tsan_unaligned_read##n(void *a) { plain((u64)a, n, 0, PC); } \
	API void __tsan_unaligned_write##n(void *a) { plain((u64)a, n, 1, PC); } \
	API void __tsan_volatile_read##n(void *a) { plain((u64)a, n, 0, PC); } \
	API void __tsan_volatile_write##n(void *a) { plain((u64)a, n, 1, PC); } \
	API void __tsan_unaligned_volatile_read##n(void *a) { plain((u64)a, n, 0, PC); } \
	API void __tsan_unaligned_volatile_write##n(void *a) { plain((u64)a, n, 1, PC); } \
	API void __tsan_read_write##n(void *a) { plain((u64)a, n, 0, PC), plain((u64)a, n, 1, PC); } \
	API void __tsan_unaligned_read_write##n(void *a) { plain((u64)a, n, 0, PC), plain((u64)a, n, 1, PC); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)

API void __tsan_init(void) {}
API void __tsan_func_entry(void *pc)
{
	if (me && me->depth++ < 512)
		me->stack[me->depth - 1] = (u64)pc;
}
API void __tsan_func_exit(void) { if (me && me->depth) me->depth--; }
API void __tsan_read_range(void *a, u64 n) { whole((u64)a, n, 0, PC); }
API void __tsan_write_range(void *a, u64 n) { whole((u64)a, n, 1, PC); }
API void __tsan_vptr_read(void *a) { plain((u64)a, 8, 0, PC); }
API void __tsan_vptr_update(void **a, void *new) { if (*a != new) plain((u64)a, 8, 1, PC); }
API void __tsan_atomic_thread_fence(int order) { (void)order; }
API void __tsan_atomic_signal_fence(int order) { (void)order; }

/* Copies and texts: reported by the caller's call. They go by words, and each word is looked at or written in its own step. */
static void *(*real_memmove)(), *(*real_memset)();
void find_copies(void)
{
	real_memmove = find_real("memmove");
	real_memset = find_real("memset");
}
static int watched(u64 pc)
{
	if (!ON || OURS(pc))
		return 0;
	counted(pc);
	return 1;
}
/* The same for functions that `reproduce.c` does not count. */
int watches(u64 pc)
{
	if (!ON || OURS(pc))
		return 0;
	me->copy_to = 0;
	long_without_a_step(pc);
	return 1;
}
const u8 text_end[256] = {1};

/* Reads bytes of one word from memory, up to the first byte for which `stop` has a 1. Returns how many. */
u64 look(volatile u8 *to, const volatile u8 *from, u64 most, const u8 *stop, int on, u64 pc)
{
	u64 n = rest_of_word((u64)from, most);
	n = on ? accesses(READ, (u64)from, n, 0, stop, pc) : up_to((u64)from, n, stop);
	for (u64 i = 0; i < n; i++)
		to[i] = from[i];
	return n;
}
void leave(volatile u8 *to, const volatile u8 *from, u64 n, int on, u64 pc)
{
	if (on)
		accesses(WRITE, (u64)to, n, 0, 0, pc);
	for (u64 i = 0; i < n; i++)
		to[i] = from[i];
}

#define PLAIN_LOOP __attribute__((optimize("no-tree-loop-distribute-patterns")))
PLAIN_LOOP static void *move(void *to, const void *from, u64 n, int on, u64 pc)
{
	int back = (u64)to > (u64)from && (u64)to < (u64)from + n;
	u8 word[8];
	for (u64 done = 0, part; done < n; done += part) {
		u64 at = back ? n - done : done;
		part = on ? rest_of_word((u64)from + at, n - done) : 1;
		if (back)
			part = on ? ((u64)from + at - 1) % 8 + 1 : 1, part = part < at ? part : at, at -= part;
		look(word, (const u8 *)from + at, part, 0, on, pc);
		leave((u8 *)to + at, word, part, on, pc);
	}
	return to;
}
void *move_by_words(void *to, const void *from, u64 n, u64 pc) { return move(to, from, n, 1, pc); }
static void *moved(void *to, const void *from, u64 n, u64 pc)
{
	int on = n && watched(pc);
	if (!on && real_memmove)
		return real_memmove(to, from, n);
	if (on)
		counted(pc);
	return move(to, from, n, on, pc);
}
API void *memmove(void *to, const void *from, size_t n) { return moved(to, from, n, PC); }
API void *memcpy(void *to, const void *from, size_t n) { return moved(to, from, n, PC); }
PLAIN_LOOP static void *put_bytes(void *to, int byte, u64 n, int on, u64 pc)
{
	u8 word[8];
	for (int i = 0; i < 8; i++)
		((volatile u8 *)word)[i] = byte;
	for (u64 done = 0, part; done < n; done += part)
		leave((u8 *)to + done, word, part = rest_of_word((u64)to + done, n - done), on, pc);
	return to;
}
void *set_by_words(void *to, int byte, u64 n, u64 pc) { return put_bytes(to, byte, n, 1, pc); }
API void *memset(void *to, int byte, size_t n)
{
	int on = n && watched(PC);
	return !on && real_memset ? real_memset(to, byte, n) : put_bytes(to, byte, n, on, PC);
}

/* Copies between memory of the program and bytes that no other thread sees. */
void fill(void *to, const u8 *from, u64 n, u64 pc)
{
	for (u64 done = 0, part; done < n; done += part)
		leave((u8 *)to + done, from + done, part = rest_of_word((u64)to + done, n - done), 1, pc);
}
void look_at(u8 *to, const void *from, u64 n, u64 pc)
{
	for (u64 done = 0; done < n;)
		done += look(to + done, (const u8 *)from + done, n - done, 0, 1, pc);
}

/* clang from version 16 on and rustc call these names. */
#define ALSO(name, ...) API void *__tsan_##name(__VA_ARGS__) __attribute__((alias(#name)));
ALSO(memcpy, void *, const void *, size_t)
ALSO(memmove, void *, const void *, size_t)
ALSO(memset, void *, int, size_t)

static u64 length(const void *s, u64 most, u64 pc)
{
	int on = watched(pc);
	u8 word[8];
	for (u64 at = 0, n; at < most; at += n) {
		n = look(word, (const u8 *)s + at, most - at, text_end, on, pc);
		for (u64 i = 0; i < n; i++)
			if (!word[i])
				return at + i;
	}
	return most;
}
static int compare(const void *a, const void *b, u64 most, int ends, u64 pc)
{
	int on = most && watched(pc);
	if (on)
		counted(pc);
	u8 x[8], y[8];
	for (u64 at = 0, n; at < most; at += n) {
		n = look(x, (const u8 *)a + at, most - at, ends ? text_end : 0, on, pc);
		n = look(y, (const u8 *)b + at, n, ends ? text_end : 0, on, pc);
		for (u64 i = 0; i < n; i++)
			if (x[i] != y[i])
				return x[i] < y[i] ? -1 : 1;
			else if (ends && !x[i])
				return 0;
	}
	return 0;
}
API size_t strlen(const char *s) { return length(s, ~0ul, PC); }
API size_t strnlen(const char *s, size_t n) { return length(s, n, PC); }
API int strcmp(const char *a, const char *b) { return compare(a, b, ~0ul, 1, PC); }
API int strncmp(const char *a, const char *b, size_t n) { return compare(a, b, n, 1, PC); }
API int memcmp(const void *a, const void *b, size_t n) { return compare(a, b, n, 0, PC); }
/* clang calls this for a `memcmp` whose sign does not matter. */
API int bcmp(const void *a, const void *b, size_t n) { return compare(a, b, n, 0, PC); }
API char *strcpy(char *to, const char *from)
{
	int on = watched(PC);
	if (on)
		counted(PC);
	u8 word[8] = {1};
	for (u64 at = 0, n = 1; word[n - 1]; at += n) {
		n = look(word, (const u8 *)from + at, ~0ul - at, text_end, on, PC);
		leave((u8 *)to + at, word, n, on, PC);
	}
	return to;
}

/* Atomic operations: sequentially consistent, whatever order they ask for. */
static int atomic(struct op *o, void *at, u32 size, int kind, int write, u64 pc)
{
	if (!ON)
		return 0;
	*o = (struct op){.kind = kind, .pc = pc, .obj = (u64)at};
	access_cells(o, (u64)at, size, write);
	point(o);
	return 1;
}

static void no_write(struct op *o)
{
	for (int i = 0; i < o->cells; i++)
		o->cell[i].write = 0;
}

#define SC __ATOMIC_SEQ_CST
#define UPDATE(n, type, name, builtin) \
	API type __tsan_atomic##n##_##name(volatile type *a, type v, int order) { \
		(void)order; struct op o; int on = atomic(&o, (void *)a, n / 8, RMW, 1, PC); \
		type was = builtin(a, v, SC); \
		if (on && shared->flags & FLAG_FAIR && *a == was) no_write(&o); \
		if (on) event(&o, (u64)*a); \
		return was; }
#define NAND(a, v, order) __atomic_fetch_nand(a, v, order)
#define ATOMIC(n, type) \
	API type __tsan_atomic##n##_load(const volatile type *a, int order) { \
		(void)order; struct op o; int on = atomic(&o, (void *)a, n / 8, LOAD, 0, PC); \
		type v = __atomic_load_n(a, SC); \
		if (on) event(&o, (u64)v); \
		return v; } \
	API void __tsan_atomic##n##_store(volatile type *a, type v, int order) { \
		(void)order; struct op o; int on = atomic(&o, (void *)a, n / 8, STORE, 1, PC); \
		__atomic_store_n(a, v, SC); \
		if (on) event(&o, (u64)v); } \
	UPDATE(n, type, exchange, __atomic_exchange_n) UPDATE(n, type, fetch_add, __atomic_fetch_add) \
	UPDATE(n, type, fetch_sub, __atomic_fetch_sub) UPDATE(n, type, fetch_and, __atomic_fetch_and) \
	UPDATE(n, type, fetch_or, __atomic_fetch_or) UPDATE(n, type, fetch_xor, __atomic_fetch_xor) \
	UPDATE(n, type, fetch_nand, NAND) \
	static int cas##n(volatile type *a, type *expected, type v, u64 pc) { \
		struct op o; int on = atomic(&o, (void *)a, n / 8, CAS, 1, pc); \
		int done = __atomic_compare_exchange_n(a, expected, v, 0, SC, SC); \
		if (on) { if (!done) no_write(&o); event(&o, (u64)*a); } \
		return done; } \
	API int __tsan_atomic##n##_compare_exchange_strong(volatile type *a, type *c, type v, int s, int f) { \
		(void)s, (void)f; return cas##n(a, c, v, PC); } \
	API int __tsan_atomic##n##_compare_exchange_weak(volatile type *a, type *c, type v, int s, int f) { \
		(void)s, (void)f; return cas##n(a, c, v, PC); } \
	API type __tsan_atomic##n##_compare_exchange_val(volatile type *a, type c, type v, int s, int f) { \
		(void)s, (void)f; cas##n(a, &c, v, PC); return c; }
ATOMIC(8, u8) ATOMIC(16, u16) ATOMIC(32, u32) ATOMIC(64, u64)

/* Sixteen bytes: plain copies do, since one thread runs at a time. gcc calls functions of its own for them, and so does clang with
   `-mcx16`. Else clang calls libatomic. */
typedef unsigned __int128 u128;
typedef u128 u128_anywhere __attribute__((aligned(1)));
static void unsupported_alone(void)
{
	dprintf(2, "dbverify: 16-byte atomics need `dbverify run`\n");
	abort();
}
static u128 load128(struct op *o, const volatile u128 *a)
{
	u128 v = *a;
	event(o, (u64)v);
	return v;
}
static void store128(struct op *o, volatile u128 *a, u128 v)
{
	*a = v;
	event(o, (u64)v);
}
static int cas128(struct op *o, volatile u128 *a, u128_anywhere *c, u128 v)
{
	int done = *a == *c;
	if (done) *a = v; else { *c = *a; no_write(o); }
	event(o, (u64)*a);
	return done;
}
#define CAS128(alone) struct op o; if (!atomic(&o, (void *)a, 16, CAS, 1, PC)) alone; int done = cas128(&o, a, c, v);
#define WIDE(name, change) \
	API u128 __tsan_atomic128_##name(volatile u128 *a, u128 v, int order) { \
		(void)order; struct op o; if (!atomic(&o, (void *)a, 16, RMW, 1, PC)) unsupported_alone(); \
		u128 was = *a; store128(&o, a, change); return was; } \
	API u128 library_##name(volatile u128 *a, u128 v, int order) __asm__("__atomic_" #name "_16"); \
	API u128 library_##name(volatile u128 *a, u128 v, int order) { \
		struct op o; if (!atomic(&o, (void *)a, 16, RMW, 1, PC)) { REAL(u128, __atomic_##name##_16); return __atomic_##name##_16_(a, v, order); } \
		u128 was = *a; store128(&o, a, change); return was; }
WIDE(exchange, v) WIDE(fetch_add, was + v) WIDE(fetch_sub, was - v) WIDE(fetch_and, was & v)
WIDE(fetch_or, was | v) WIDE(fetch_xor, was ^ v) WIDE(fetch_nand, ~(was & v))
API u128 __tsan_atomic128_load(const volatile u128 *a, int order)
{
	(void)order;
	struct op o;
	if (!atomic(&o, (void *)a, 16, LOAD, 0, PC)) unsupported_alone();
	return load128(&o, a);
}
API void __tsan_atomic128_store(volatile u128 *a, u128 v, int order)
{
	(void)order;
	struct op o;
	if (!atomic(&o, (void *)a, 16, STORE, 1, PC)) unsupported_alone();
	store128(&o, a, v);
}
API int __tsan_atomic128_compare_exchange_strong(volatile u128 *a, u128_anywhere *c, u128 v, int s, int f) { (void)s, (void)f; CAS128(unsupported_alone()) return done; }
API int __tsan_atomic128_compare_exchange_weak(volatile u128 *a, u128_anywhere *c, u128 v, int s, int f) { (void)s, (void)f; CAS128(unsupported_alone()) return done; }
API u128 __tsan_atomic128_compare_exchange_val(volatile u128 *a, u128 expected, u128 v, int s, int f) { (void)s, (void)f; u128_anywhere *c = &expected; CAS128(unsupported_alone()) return expected; }
API u128 library_load(const volatile u128 *a, int order) __asm__("__atomic_load_16");
API u128 library_load(const volatile u128 *a, int order)
{
	struct op o;
	if (atomic(&o, (void *)a, 16, LOAD, 0, PC))
		return load128(&o, a);
	REAL(u128, __atomic_load_16);
	return __atomic_load_16_(a, order);
}
API void library_store(volatile u128 *a, u128 v, int order) __asm__("__atomic_store_16");
API void library_store(volatile u128 *a, u128 v, int order)
{
	struct op o;
	if (atomic(&o, (void *)a, 16, STORE, 1, PC))
		return store128(&o, a, v);
	REAL(void, __atomic_store_16);
	__atomic_store_16_(a, v, order);
}
API _Bool library_cas(volatile u128 *a, u128_anywhere *c, u128 v, int s, int f) __asm__("__atomic_compare_exchange_16");
API _Bool library_cas(volatile u128 *a, u128_anywhere *c, u128 v, int s, int f)
{
	if (ON) {
		CAS128(abort())
		return done;
	}
	REAL(_Bool, __atomic_compare_exchange_16);
	return __atomic_compare_exchange_16_(a, c, v, s, f);
}
