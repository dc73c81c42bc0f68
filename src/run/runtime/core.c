/* The schedule: one thread runs at a time, the others wait for their turn. */
#include "runtime.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unwind.h>

struct shared *shared;
int active;
__thread struct thread *me;
struct thread threads[THREADS];
static struct thread *order[THREADS]; /* in the order of creation */
static int created, ended = -1, last = -1, last_yields;
static u64 steps, random_state, priority[THREADS], change_at[8];
static u64 unheeded; /* so many yields change no priority: libraries yield before they wait */
int server_pid;
const char *channel_before_main; /* a function that the program has called before */
int threads_before_main;

/* Makes a system call. The runtime takes over the C library's `syscall`, so it cannot call that. */
static long kernel(long n, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall" : "=a"(result)
		: "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
#else
#error "this machine is not known"
#endif
}

void *find_real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) {
		dprintf(2, "dbverify: the C library has no %s\n", name);
		kernel(SYS_exit_group, 2, 0, 0, 0, 0, 0);
	}
	return found;
}

/* Stops the process where it is, for a debugger. */
static void stop_here(void)
{
	struct itimerval none = {0};
	kernel(SYS_setitimer, ITIMER_REAL, (long)&none, 0, 0, 0, 0);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	long process = kernel(SYS_getpid, 0, 0, 0, 0, 0, 0), thread = kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
	__atomic_store_n(&shared->stopped, (u64)process | (u64)thread << 32, __ATOMIC_SEQ_CST);
	kernel(SYS_tgkill, process, thread, SIGSTOP, 0, 0, 0);
}

static int libraries(struct dl_phdr_info *first, size_t size, void *opened)
{
	*(u64 *)opened = first->dlpi_adds;
	return 1;
}

/* Tells the checker which files are mapped where, if libraries were opened since the last time. */
static void put_maps(void)
{
	static u64 told;
	u64 opened = 0;
	dl_iterate_phdr(libraries, &opened);
	if (opened == told)
		return;
	told = opened;
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	for (long n = 1; n > 0; shared->maps_length += n > 0 ? n : 0)
		n = kernel(SYS_read, maps, (long)shared->maps + shared->maps_length, sizeof shared->maps - shared->maps_length, 0, 0, 0);
	kernel(SYS_close, maps, 0, 0, 0, 0, 0);
}
API __attribute__((weak)) int dlclose(void *library)
{
	REAL(int, dlclose);
	if (active)
		put_maps();
	return dlclose_(library);
}

void finish(int outcome, u64 code, u64 pc)
{
	put_maps();
	if (shared->flags & FLAG_STOP)
		stop_here();
	put_calls();
	if (me && me->doing)
		event(me->doing, 0);
	if (*shared->channel && !alone())
		shared->hears = 1;
	shared->outcome = outcome;
	shared->code = code;
	shared->pc = pc;
	shared->slot = me ? (u64)me->slot : 0;
	for (u32 i = 0; i < 8; i++)
		shared->frames[i] = me && i < me->depth && me->depth <= 512 ? me->stack[me->depth - 1 - i] : 0;
	kernel(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

int alone(void) { return created < 2; }

static u64 program_from, program_to;
static int find_program(struct dl_phdr_info *first, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (int i = 0; i < first->dlpi_phnum; i++)
		if (first->dlpi_phdr[i].p_type == PT_LOAD && first->dlpi_phdr[i].p_flags & PF_X) {
			program_from = first->dlpi_addr + first->dlpi_phdr[i].p_vaddr;
			program_to = program_from + first->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

/* Calls of libraries do not count: they may be others in other runs. */
extern char __ehdr_start[] __attribute__((visibility("hidden"))), etext[] __attribute__((visibility("hidden")));
int of_program(u64 pc) { return pc >= program_from && pc < program_to; }
void called(u64 pc) { me->copy_to = 0, me->calls += of_program(pc); }
static void called_or_ours(u64 pc)
{
	me->calls += !pc || (pc >= (u64)__ehdr_start && pc < (u64)etext);
	called(pc);
}

void put_calls(void)
{
	if (me && shared->flags & FLAG_CALLS) {
		put(L_CALLS | (u64)me->slot << 8);
		put(me->calls);
	}
}

u64 given(u64 value)
{
	if (shared->flags & FLAG_CALLS) {
		put(L_GIVEN | (u64)me->slot << 8);
		put(value);
	}
	return value;
}

static void say(const char *text)
{
	strncpy(shared->text, text, 4000);
}

void unsupported(const char *what, u64 pc) { say(what); finish(UNSUPPORTED, 0, pc); }
void misuse(const char *what, u64 pc) { say(what); finish(MISUSE, 0, pc); }

/* Objects by their cells. */
#define OBJECTS (1 << 16)
static struct object *objects[OBJECTS];
static char *pool, *pool_end;

void *grab(u64 size)
{
	if (pool + size > pool_end) {
		u64 room = size > 1 << 24 ? (size + 15) & ~15ul : 1 << 24;
		pool = mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (pool == MAP_FAILED)
			unsupported("more memory than there is", 0);
		pool_end = pool + room;
	}
	void *got = pool;
	pool += (size + 15) & ~15ul;
	return got;
}

/* Returns bytes of the thread's own. Their content stays, and addresses that were returned before stay valid. */
u8 *own(u64 size)
{
	if (me->owns < size) {
		u64 room = me->owns ? me->owns : 4096;
		while (room < size)
			room *= 2;
		u8 *more = grab(room);
		memcpy(more, me->own, me->owns);
		me->own = more, me->owns = room;
	}
	return me->own;
}

struct object *object(u64 cell, int type)
{
	u32 at = (cell * 0x9e3779b97f4a7c15u) >> 48;
	for (u32 tries = 0; objects[at]; at = (at + 1) % OBJECTS) {
		if (objects[at]->cell == cell)
			break;
		if (++tries == OBJECTS - 1)
			unsupported("more than 65,000 shared objects", 0);
	}
	struct object *o = objects[at];
	if (!o) {
		o = objects[at] = grab(sizeof *o);
		if (cell >> 56 == OBJECT && in_heap(cell & 0xffffffffffffff))
			seen_object(cell & 0xffffffffffffff);
		o->cell = cell;
	}
	if (o->type != type && type != T_MEMORY) {
		/* Memory is used again for another object. */
		o->type = type, o->state = 0, o->owner = -1, o->count = o->needed = o->ntokens = 0;
		o->waiting = o->freed = NOBODY;
		if (type == T_RW)
			o->readers = grab(THREADS);
		if ((type == T_COND || type == T_FUTEX) && !o->tokens)
			o->tokens = grab(THREADS * sizeof *o->tokens);
		o->mask[0] = o->mask[1] = type == T_MUTEX || type == T_RW || type == T_ONCE || type == T_SPIN ? EVERYBODY : NOBODY;
	}
	return o;
}

void forget(u64 cell)
{
	struct object *x = object(cell, T_MEMORY);
	/* Waiting threads go on, and then use memory that was freed. */
	if (x->type == T_SEM)
		set_units(x, THREADS);
	x->type = 0, x->mask[0] = x->mask[1] = EVERYBODY;
}

static struct object *known(u64 cell) { return object(cell, T_MEMORY); }

void guard(struct op *o, u64 cell, int class)
{
	o->guard[o->guards].cell = cell;
	o->guard[o->guards++].class = class;
}

void touch(struct op *o, u64 cell, int write)
{
	for (int i = 0; i < o->cells; i++)
		if (o->cell[i].cell == cell) {
			o->cell[i].write |= write;
			return;
		}
	if (o->cells == CELLS)
		unsupported("an operation on more than 32 places", o->pc);
	o->cell[o->cells].cell = cell;
	o->cell[o->cells++].write = write;
}

/* Adds a word to the log. If the log is full, the execution ends, and the words for that end are lost. */
void put(u64 word)
{
	static int full;
	if (shared->log_len < sizeof shared->log / 8)
		shared->log[shared->log_len++] = word;
	else if (!full++)
		finish(TOO_LONG, steps, 0);
}

/* Logs a cell and whom it lets go on. Without words for the threads from the 65th on, these may go on where all others may. */
static void put_masks(u64 cell, struct object *x)
{
	int wide = 0;
	for (int class = 0; class < 2; class++)
		for (int i = 1; i < THREADS / 64; i++)
			wide |= x->mask[class][i] != (x->mask[class][0] == ~0ul ? ~0ul : 0);
	put(cell | (u64)wide << 61);
	for (int class = 0; class < 2; class++)
		for (int i = 0; i < (wide ? THREADS / 64 : 1); i++)
			put(x->mask[class][i]);
}

static void put_head(int tag, int slot, struct op *o, int cells)
{
	put((u64)tag | (u64)slot << 8 | (u64)o->kind << 16 | (u64)o->guards << 24 | (u64)cells << 32 | (u64)o->yields << 40
		| (u64)o->polls << 48);
}

static void put_pending(struct thread *t, struct op *o)
{
	put_head(L_PENDING, t->slot, o, o->cells);
	put(o->pc);
	put(o->obj);
	for (u32 i = 0; i < 4; i++)
		put(i < t->depth && t->depth <= 512 ? t->stack[t->depth - 1 - i] : 0);
	for (int i = 0; i < o->guards; i++) {
		struct object *x = known(o->guard[i].cell);
		put_masks(o->guard[i].cell | (u64)o->guard[i].class << 62, x);
	}
	for (int i = 0; i < o->cells; i++)
		put(o->cell[i].cell | (u64)o->cell[i].write << 63);
	for (int i = 0; i < o->polls; i++)
		put(o->poll[i]);
}

static int allows(struct object *x, int class, int slot)
{
	return class == UNITS ? x->semaphore->takes < x->semaphore->posts : has(x->mask[class], slot);
}

static int enabled(struct thread *t)
{
	if (t->finished || !t->pending)
		return 0;
	for (int i = 0; i < t->pending->guards; i++)
		if (!allows(known(t->pending->guard[i].cell), t->pending->guard[i].class, t->slot))
			return 0;
	int changed = !t->pending->polls;
	for (int i = 0; i < t->pending->polls; i++)
		changed |= known(t->pending->poll[i])->changes != t->pending->polled[i];
	return changed;
}

/* Threads that poll. A thread that comes back to where it was, with the same registers, stack and locks, and has written
   nothing since, does the same again until something changes that it has looked at: it waits for that. */
void disturbed(void) { me->rest.limit = 0; }

__attribute__((noinline)) static u64 local_state(struct op *o)
{
	__builtin_unwind_init();
	u64 hash = me->rest.held;
	u64 *from = __builtin_frame_address(0);
#if defined(__x86_64__)
	from -= 5; /* the registers that a function saves */
#endif
	for (u64 *at = from; at < me->bottom; at++)
		hash = (hash ^ *at) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
	return hash ^ o->kind;
}

/* Whether the thread holds a lock that it gave back on its round: others may have had it meanwhile. */
static int gives_back(void)
{
	for (int i = 0; i < me->rest.cells; i++) {
		struct object *x = known(me->rest.cell[i].cell);
		if (me->rest.cell[i].given_back && (x->owner == me->slot || (x->type == T_RW && x->readers[me->slot])))
			return 1;
	}
	return 0;
}

static void rests(struct op *o)
{
	if (o->kind == START || o->kind == END || o->kind == CREATE || o->kind == EXIT || o->kind == FREE || o->kind == REUSE)
		return disturbed();
	u64 at = local_state(o);
	if (me->rest.limit && at == me->rest.at && me->rest.cells && gives_back())
		me->rest.since = me->rest.limit - 1; /* it may wait at the next place */
	else if (me->rest.limit && at == me->rest.at && me->rest.cells) {
		o->polls = me->rest.cells;
		for (int i = 0; i < o->polls; i++)
			o->poll[i] = me->rest.cell[i].cell, o->polled[i] = me->rest.cell[i].changes;
		disturbed();
	} else if (!me->rest.limit || ++me->rest.since == me->rest.limit) {
		me->rest.at = at;
		me->rest.limit = me->rest.limit ? me->rest.limit * 2 : 1;
		me->rest.since = me->rest.cells = 0;
	}
}

/* Notes what the thread looks at on its round. A lock that it takes and gives back is no change, nor is a wait that times out. */
static void looked(struct op *o, struct object *x, int write)
{
	int waits = o->kind == WAIT || o->kind == WAKE, back = o->kind == UNLOCK || o->kind == RW_UNLOCK || o->kind == FUTEX_WOKEN;
	int lock = waits || o->kind == FUTEX_WAITS || o->kind == FUTEX_WOKEN || (o->kind >= LOCK && o->kind <= UNLOCK);
	lock |= o->kind >= RW_READ && o->kind <= RW_UNLOCK;
	if (write && !lock)
		return disturbed();
	if (waits)
		back = (o->kind == WAIT) == (x->type == T_MUTEX);
	if (write)
		me->rest.held += (back ? -1 : 1) * (x->cell * 0xff51afd7ed558ccdu);
	int i = 0;
	while (i < me->rest.cells && me->rest.cell[i].cell != x->cell)
		i++;
	/* A change by others in the middle of a round counts in the next round. */
	if (i == 16 || (i < me->rest.cells && me->rest.cell[i].changes != x->changes - write))
		return disturbed();
	u8 given_back = write && back;
	if (i < me->rest.cells)
		given_back |= me->rest.cell[i].given_back;
	me->rest.cell[i] = (struct seen){x->cell, x->changes, given_back};
	me->rest.cells += i == me->rest.cells;
}

static u64 draw(void)
{
	random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1du >> 16;
}

static struct thread *by_rule(void)
{
	struct thread *can[THREADS], *best = 0;
	int n = 0, start = last < 0 ? 0 : last;
	if (last >= 0 && !last_yields && shared->mode != MODE_RANDOM && shared->mode != MODE_PCT && enabled(order[last]))
		return order[last];
	if (shared->mode == MODE_FIRST && !last_yields)
		start = 0;
	else if (last_yields)
		start = last + 1;
	for (int i = 0; i < created; i++)
		if (enabled(order[(start + i) % created]))
			can[n++] = order[(start + i) % created];
	if (!n)
		return 0;
	if (shared->mode == MODE_RANDOM)
		return can[draw() % n];
	if (shared->mode == MODE_PCT) {
		for (int i = 0; i < 8; i++)
			if (change_at[i] == steps && last >= 0)
				priority[order[last]->slot] = i;
		if (last_yields && unheeded)
			unheeded--;
		else if (last_yields && last >= 0)
			priority[order[last]->slot] = 0;
		for (int i = 0; i < n; i++)
			if (!best || priority[can[i]->slot] > priority[best->slot])
				best = can[i];
		return best;
	}
	return can[0];
}

static struct thread *choose(void)
{
	if (steps >= shared->max_steps)
		finish(TOO_LONG, 0, 0);
	struct thread *next;
	if (steps < shared->prefix_len) {
		next = &threads[shared->prefix[steps]];
		if (!next->live || !enabled(next))
			finish(LEFT, steps, 0);
	} else {
		if (shared->flags & FLAG_STOP)
			stop_here();
		next = by_rule();
		if (!next) {
			int polls = 0;
			for (int i = 0; i < created; i++)
				polls |= !order[i]->finished && order[i]->pending && order[i]->pending->polls;
			finish(DEADLOCK, polls, 0);
		}
	}
	last = next->number;
	last_yields = next->pending->yields;
	steps++;
	return next;
}

static void futex_wait(volatile u32 *word) { kernel(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0); }
static void sleep_until_chosen(void)
{
	while (!__atomic_load_n(&me->go, __ATOMIC_ACQUIRE))
		futex_wait(&me->go);
	me->go = 0;
	if (ended >= 0) {
		struct thread *t = &threads[ended];
		ended = -1;
		/* An ending thread still runs in the C library. The first thread has no end: it sleeps. */
		if (t->number > 0) {
			REAL(int, pthread_join);
			me->inside = 1;
			pthread_join_(t->real, 0);
			me->inside = 0;
		}
	}
}

static void wake(struct thread *t)
{
	__atomic_store_n(&t->go, 1, __ATOMIC_RELEASE);
	kernel(SYS_futex, (long)&t->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* Atomic sections: no other thread makes a step meanwhile. */
#define ATOMIC_CELL cell_of(OBJECT, 2)
static int atomics_used;
API void __dbverify_atomics(void) { atomics_used = 1; }
API void __dbverify_atomic(int begins)
{
	if (!ON)
		return;
	struct op o = {.kind = begins ? LOCK : UNLOCK, .pc = PC};
	struct object *x = object(ATOMIC_CELL, T_MUTEX);
	touch(&o, x->cell, 1);
	point(&o);
	x->mask[0] = begins ? only(me->slot) : EVERYBODY;
	event(&o, 0);
}

/* The functions that those of a verifier (`__VERIFIER_...`) call. */
API int __dbverify_thread(void) { return ON ? me->number : -1; }
API void __dbverify_given(u64 value) { if (ON) disturbed(), given(value); }
API void __dbverify_fails(const char *text, u64 pc) { say(text); finish(ASSERTION, 0, pc); }

/* Our calls leave bytes below the stack that depend on the schedule. The gaps of later frames would show them to
   `local_state`. This function and its callers have frames without gaps. */
#define WITHOUT_GAPS __asm__ volatile("" : : "r"(__builtin_frame_address(0)))
__attribute__((noinline)) static void wipe(void)
{
	volatile u64 *frame = __builtin_frame_address(0);
	for (int i = 1; i <= 512 && shared->flags & FLAG_FAIR; i++)
		frame[-i] = 0;
}

/* Logs the value that the last write has left. The write itself happens only after its turn has begun. */
void put_value(void)
{
	if (!me->wrote_at)
		return;
	u64 value = 0;
	for (u32 i = 0; i < me->wrote_size && i < 8; i++)
		value |= (u64)((volatile u8 *)me->wrote_at)[i] << 8 * i;
	put(L_VALUE | (u64)me->slot << 8);
	put(value);
	me->wrote_at = 0;
}

__attribute__((noinline)) static void stand_before(struct op *o)
{
	int saved = errno;
	if (o->kind != READ && o->kind != WRITE && o->kind != FILL && o->kind != FREE && o->kind != REUSE && o->kind != START
		&& o->kind != HANDLED)
		called_or_ours(o->pc);
	/* A `free` of many places comes here several times. */
	if (atomics_used && o->kind != START && !(o->guards && o->guard[o->guards - 1].cell == ATOMIC_CELL))
		object(ATOMIC_CELL, T_MUTEX), guard(o, ATOMIC_CELL, 0);
	me->pending = o;
	me->quiet = 0;
	put_value();
	if (shared->flags & FLAG_FAIR)
		rests(o);
	put_calls();
	put_pending(me, o);
	struct thread *next = choose();
	if (next != me) {
		wake(next);
		sleep_until_chosen();
	}
	me->pending = 0;
	me->doing = o;
	/* Others may free the memory of a step's object before the step. Waking the waiters of a word does not use the word. */
	if (o->kind != FREE && o->kind != REUSE && o->kind != FUTEX_WAKES && freed(o->obj))
		misuse("memory is used that was freed", o->pc);
	errno = saved;
}

/* Standard input is a place in a file, and each read moves the place. The move is an access that is no step. A thread has
   read if the place is not where it was before, or if the end was seen. */
void input_was_read(void)
{
	put_calls();
	put(L_ACCESS | (u64)me->slot << 8);
	put(cell_of(INPUT, 0) | 1ul << 63);
	put(1); /* not 0: that is the access of a step */
}
static long input_place(void)
{
	long place = kernel(SYS_lseek, 0, 0, SEEK_CUR, 0, 0, 0);
	return stdin ? (place - (stdin->_IO_read_end - stdin->_IO_read_ptr)) * 2 + !!feof_unlocked(stdin) : place;
}
static long input_was_at;
__attribute__((noinline)) static void look_at_input(void)
{
	long place = input_place();
	if (place != input_was_at)
		input_was_read();
	input_was_at = place;
}

/* An operation is about to happen: others may come first. */
void point(struct op *o)
{
	WITHOUT_GAPS;
	look_at_input();
	wipe();
	stand_before(o);
	wipe();
}

__attribute__((noinline)) static void log_event(struct op *o, u64 value)
{
	put_head(L_EVENT, me->slot, o, o->cells + !!o->unit);
	put(value);
	if (o->unit_time && o->kind != SEM_POST && *o->unit_time > me->time)
		me->time = *o->unit_time;
	/* A write that looks at nothing does not learn what was there before. */
	for (int i = 0; i < o->cells && o->kind != WRITE && o->kind != STORE; i++) {
		struct object *x = known(o->cell[i].cell);
		if (x->time > me->time)
			me->time = x->time;
	}
	for (int i = 0; i < o->cells; i++) {
		struct object *x = known(o->cell[i].cell);
		if (!o->cell[i].write)
			put(o->cell[i].cell);
		else {
			put_masks(o->cell[i].cell | 1ul << 63, x);
			x->time = me->time;
			x->changes++;
		}
		if (shared->flags & FLAG_FAIR && o->kind != START)
			looked(o, x, o->cell[i].write);
	}
	if (o->unit) {
		int made = o->kind == SEM_POST;
		put(o->unit | (u64)made << 63);
		if (made)
			put(0), put(0), *o->unit_time = me->time;
	}
	me->doing = 0;
	shared->segment++;
}

/* The operation has happened, with this effect. */
void event(struct op *o, u64 value)
{
	WITHOUT_GAPS;
	log_event(o, value);
	wipe();
}

/* Threads have the same numbers whatever the schedule: by their parent and their place among its children. */
struct thread *new_thread(void)
{
	u64 name = me ? (me->name * 0x9e3779b97f4a7c15u) ^ (++me->children * 0xff51afd7ed558ccdu) : 1;
	u64 slot = 0;
	while (slot < shared->names && shared->name[slot] != name)
		slot++;
	if (slot >= THREADS)
		unsupported("more than 256 threads, with those that have ended", 0);
	if (slot == shared->names)
		shared->name[shared->names++] = name;
	struct thread *t = &threads[slot];
	t->slot = slot;
	t->name = name;
	t->number = created;
	t->live = 1;
	t->random = slot * 77 + 1;
	order[created++] = t;
	object(cell_of(FINISHED, slot), T_THREAD);
	return t;
}

void spawned(struct thread *t)
{
	put(L_SPAWN | (u64)t->slot << 8);
	t->time = me->time;
}

/* A new thread: waits until it is chosen. */
void thread_main_setup(struct thread *t)
{
	me = t;
	set_altstack(t->slot);
	sleep_until_chosen();
	struct op *o = me->pending;
	me->pending = 0;
	event(o, 0);
}

/* Functions that run at exit. A thread may register one while another thread ends the program: it counts if `exit` looks for
   the next function after that. */
#define HANDLERS cell_of(OBJECT, 6)
static int closed; /* no function comes any more */
static void look_for_handlers(struct op *o)
{
	if (shared->flags & FLAG_HANDLERS)
		touch(o, HANDLERS, 0);
}
struct handler { void (*run)(void *); void *arg; };
static void handles(void *registered)
{
	struct handler *h = registered;
	h->run(h->arg);
	struct op o = {.kind = HANDLED};
	if (!ON || alone() || !(shared->flags & FLAG_HANDLERS))
		return;
	look_for_handlers(&o);
	point(&o);
	event(&o, 0);
}
/* A library's constructors run under the loader's lock: a thread that waited there would keep others from the loader. */
static _Unwind_Reason_Code is_of_loader(struct _Unwind_Context *frame, void *found)
{
	Dl_info at;
	*(int *)found = dladdr((void *)_Unwind_GetIP(frame), &at) && (u64)at.dli_fbase == getauxval(AT_BASE);
	return *(int *)found ? _URC_END_OF_STACK : _URC_NO_REASON;
}
static int opens_library(void)
{
	int found = 0, inside = me->inside++;
	_Unwind_Backtrace(is_of_loader, &found);
	me->inside = inside;
	return found;
}
API int __cxa_atexit(void (*run)(void *), void *arg, void *library)
{
	REAL(int, __cxa_atexit);
	if (!active && !getenv("DBVERIFY_RUN"))
		return __cxa_atexit_(run, arg, library);
	if (ON && !alone() && !opens_library()) {
		if (!(shared->flags & FLAG_HANDLERS)) {
			shared->flags |= FLAG_HANDLERS;
			shared->found++;
		}
		struct op o = {.kind = REGISTERS, .pc = PC};
		touch(&o, HANDLERS, 1);
		point(&o);
		event(&o, 0);
		if (closed)
			return -1;
	}
	struct handler *h = grab(sizeof *h);
	h->run = run, h->arg = arg;
	return __cxa_atexit_(handles, h, library);
}

/* The first thread that calls `exit` ends the program. Others that call it wait for ever. */
_Noreturn static void leave_program(int status, u64 pc)
{
	if (ON && !alone()) {
		struct op o = {.kind = EXITS, .pc = pc};
		struct object *x = object(cell_of(OBJECT, 5), T_MUTEX);
		guard(&o, x->cell, 0);
		touch(&o, x->cell, 1);
		look_for_handlers(&o);
		point(&o);
		x->mask[0] = only(me->slot);
		event(&o, 0);
	}
	REAL(void, exit);
	exit_(status);
	__builtin_unreachable();
}
API void exit(int status) { leave_program(status, PC); }

/* The last operation of a thread. */
void end_thread(void)
{
	struct op o = {.kind = END, .pc = 0};
	u64 cell = cell_of(FINISHED, me->slot);
	touch(&o, cell, 1);
	/* The first thread may end before the program does. Then the last thread ends the program, so the order of ends matters. */
	if (me->number == 0 && !(shared->flags & FLAG_MAIN_ENDS)) {
		shared->flags |= FLAG_MAIN_ENDS;
		shared->found++;
	}
	if (shared->flags & FLAG_MAIN_ENDS)
		touch(&o, cell_of(WORLD, 1), 1);
	point(&o);
	struct object *x = object(cell, T_THREAD);
	x->mask[0] = EVERYBODY;
	event(&o, 0);
	if (me->held && shared->flags & FLAG_HELD)
		misuse("the thread ends and holds a lock", 0);
	put(L_ENDED | (u64)me->slot << 8);
	int left = 0;
	for (int i = 0; i < created; i++)
		left += !order[i]->finished;
	if (left == 1)
		leave_program(0, 0);
	me->calls++;
	put_calls();
	me->finished = 1;
	ended = me->slot;
	struct thread *next = choose();
	if (me->number == 0) {
		wake(next);
		while (1)
			futex_wait(&me->go);
	}
	wake(next);
}

static void at_exit(int status, void *unused)
{
	(void)unused;
	if (!active || !me)
		return;
	closed = 1;
	fflush(0);
	struct op o = {.kind = EXIT, .obj = (u64)status};
	touch(&o, cell_of(WORLD, 0), 1);
	point(&o);
	event(&o, (u64)status);
	if (me->held && shared->flags & FLAG_HELD)
		misuse("the program ends and the thread holds a lock", 0);
	if (kept && shared->flags & FLAG_LEAKS)
		misuse("memory is kept that the program has allocated and never gives back", 0);
	finish(EXITED, (u64)status & 255, 0);
}

API void _exit(int status)
{
	if (ON)
		at_exit(status, 0);
	kernel(SYS_exit_group, status, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}
API void _Exit(int status) { _exit(status); }

API void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
	if (ON) {
		snprintf(shared->text, FILE_AT, "%s", text);
		snprintf(shared->text + FILE_AT, 1000, "%s", file);
		finish(ASSERTION, line, PC);
	}
	dprintf(2, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
	abort();
}

/* Looks for the innermost call on the stack that the program has made. */
static _Unwind_Reason_Code is_call(struct _Unwind_Context *frame, void *call)
{
	u64 pc = _Unwind_GetIP(frame);
	if (!of_program(pc))
		return _URC_NO_REASON;
	*(u64 *)call = pc - 1;
	return _URC_END_OF_STACK;
}

/* gcc's library that looks for undefined behaviour calls this where it has found some. */
API void __ubsan_on_report(void)
{
	if (!ON)
		return;
	REAL(void, __ubsan_get_current_report_data);
	char *kind, *message, *file, *memory, text[1000];
	unsigned line, column;
	__ubsan_get_current_report_data_(&kind, &message, &file, &line, &column, &memory);
	snprintf(text, sizeof text, "undefined behaviour: %s", message);
	u64 pc = 0;
	me->inside++;
	_Unwind_Backtrace(is_call, &pc);
	misuse(text, pc + 1);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	u64 pc, sp;
	ucontext_t *at = context;
#if defined(__x86_64__)
	pc = at->uc_mcontext.gregs[REG_RIP], sp = at->uc_mcontext.gregs[REG_RSP];
#else
	pc = at->uc_mcontext.pc, sp = at->uc_mcontext.sp;
#endif
	/* For other signals the field of the address holds the number of a process. */
	shared->addr = number == SIGSEGV || number == SIGBUS ? (u64)info->si_addr : 0;
	/* The stack reaches from here to its bottom without a hole, unless there was no room for it. */
	u64 bottom = me ? (u64)me->bottom : 0, near = 65536;
	if (number == SIGSEGV && bottom - sp < 1ul << 30 && shared->addr >= sp - near && shared->addr < bottom)
		say("stack overflow");
	Dl_info library;
	if (me && !of_program(pc) && dladdr((void *)pc, &library)) {
		/* The operations of the unwinding library are no steps. */
		int inside = me->inside++;
		_Unwind_Backtrace(is_call, &pc);
		me->inside = inside;
	}
	finish(SIGNAL_CAUGHT, number, pc);
}

static char altstacks[THREADS][32768];
void set_altstack(int slot)
{
	stack_t stack = {.ss_sp = altstacks[slot], .ss_size = sizeof altstacks[slot]};
	sigaltstack(&stack, 0);
}

static void catch_signals(void)
{
	int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	for (u32 i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, 0);
}

static u64 *main_bottom;
static void begin(void)
{
	memset(shared->channel, 0, sizeof shared->channel + sizeof shared->waits);
	if (channel_before_main)
		uncontrolled(channel_before_main);
	random_state = shared->seed * 0x9e3779b97f4a7c15u | 1;
	for (int i = 0; i < 8; i++)
		change_at[i] = shared->changes[i];
	for (int i = 0; i < THREADS; i++)
		priority[i] = 8 + draw() % 100000;
	u64 some = draw() % 256;
	unheeded = some < 128 ? some : 0;
	struct itimerval limit = {.it_value = {.tv_sec = shared->longest ? shared->longest : 20}};
	setitimer(ITIMER_REAL, &limit, 0);
	show_granules();
	me = new_thread();
	me->bottom = main_bottom;
	me->real = pthread_self();
	catch_signals();
	set_altstack(0);
	if (!(shared->flags & FLAG_OUTPUT)) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		close(null);
	}
	active = 1;
	input_was_at = input_place();
	struct op o = {.kind = START};
	point(&o);
	event(&o, 0);
}

/* Stands where `main` would run: an execution is a child of this process. */
static void serve(const char *where)
{
	const char *before = channel_before_main;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	snprintf(path, sizeof path, "%s/shared", where);
	int file = open(path, O_RDWR | O_CLOEXEC);
	shared = mmap(0, SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", where);
	int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (file < 0 || shared == MAP_FAILED || connect(socket_, (void *)&address, sizeof address) < 0)
		_exit(2);
	channel_before_main = before;
	put_maps();
	close(file);
	unsetenv("LD_PRELOAD");
	unsetenv("LD_BIND_NOW");
	unsetenv("DBVERIFY_RUN");
	server_pid = getpid();
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* The children of this process do not have the threads that were made before `main`. */
	struct stat tasks;
	u32 status = threads_before_main || (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3);
	char go;
	/* An execution that reads its input moves the place in the file for all others. */
	off_t input = lseek(0, 0, SEEK_CUR);
	if (write(socket_, &status, 4) != 4)
		_exit(2);
	while (read(socket_, &go, 1) == 1) {
		if (input >= 0)
			lseek(0, input, SEEK_SET);
		pid_t child = fork();
		if (child == 0) {
			close(socket_);
			prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
			begin();
			return;
		}
		int how = 0;
		while (waitpid(child, &how, 0) < 0 && errno == EINTR)
			;
		status = how;
		if (write(socket_, &status, 4) != 4)
			break;
	}
	kernel(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

static int (*real_main)(int, char **, char **);
static int hooked_main(int argc, char **argv, char **env)
{
	const char *where = getenv("DBVERIFY_RUN");
	if (where) {
		main_bottom = __builtin_frame_address(0);
		dl_iterate_phdr(find_program, 0);
		find_copies();
		serve(where);
	}
	leave_program(real_main(argc, argv, env), 0);
}

API int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*loader)(void), void *stack)
{
	REAL(int, __libc_start_main);
	real_main = program;
	if (getenv("DBVERIFY_RUN")) {
		/* Equal executions have equal addresses. */
		int now = personality(0xffffffff);
		if (!(now & ADDR_NO_RANDOMIZE) && personality(now | ADDR_NO_RANDOMIZE) != -1
			&& personality(0xffffffff) & ADDR_NO_RANDOMIZE)
			execve("/proc/self/exe", argv, environ);
		on_exit(at_exit, 0);
	}
	return __libc_start_main_(hooked_main, argc, argv, init, fini, loader, stack);
}
