/* POSIX threads, their relatives and time: each function is an operation of the schedule. */
#include "runtime.h"
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <stdarg.h>

#define BIT only(me->slot)
#define OBJ(p) cell_of(OBJECT, (u64)(p))
#define START_OP(k, p) struct op o = {.kind = k, .pc = PC, .obj = (u64)(p)}
#define PASS(type, name, ...) if (!ON) { REAL(type, name); return name##_(__VA_ARGS__); }

/* Threads. */

static pthread_key_t last_words;
static void key_ends(void *round)
{
	/* Destructors of other keys go first. */
	if ((u64)round < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(last_words, (void *)((u64)round + 1));
	else if (ON)
		end_thread();
}
__attribute__((constructor)) static void make_key(void) { pthread_key_create(&last_words, key_ends); }

static void *results[THREADS];
static void *trampoline(void *t)
{
	((struct thread *)t)->bottom = __builtin_frame_address(0);
	thread_main_setup(t);
	pthread_setspecific(last_words, (void *)1);
	return results[me->slot] = me->run(me->arg);
}

static struct thread *by_handle(pthread_t handle)
{
	for (int i = 0; i < THREADS; i++)
		if (threads[i].live && pthread_equal(threads[i].real, handle) && !threads[i].joined)
			return &threads[i];
	return 0;
}

static int create(struct op *o, pthread_t *handle, const pthread_attr_t *asked, void *(*run)(void *), void *arg)
{
	touch(o, cell_of(OBJECT, 1), 0); /* something that nothing writes */
	point(o);
	struct thread *t = new_thread();
	struct op *first = grab(sizeof *first);
	first->kind = START;
	first->pc = (u64)run;
	t->run = run, t->arg = arg, t->pending = first;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	int detached = PTHREAD_CREATE_JOINABLE;
	size_t size = 8 << 20, wanted = 0;
	char *stack = 0;
	if (asked) {
		/* If the attributes have no stack, this is an address below zero. */
		pthread_attr_getstack(asked, (void **)&stack, &wanted);
		stack = (u64)stack + wanted ? stack : 0;
		pthread_attr_getdetachstate(asked, &detached);
		pthread_attr_getstacksize(asked, &wanted);
		if (stack || wanted > size)
			size = stack ? wanted : (wanted + 4095) & ~4095ul;
	}
	if (size > 1ul << 29)
		unsupported("a stack of more than 512 MiB", o->pc);
	extern void *mmap(void *, size_t, int, int, int, long);
	if (!stack)
		stack = mmap((char *)0x300000000000 + ((u64)t->slot << 30), size, 3, 0x104022 | 0x10, -1, 0);
	REAL(int, pthread_create);
	me->inside = 1;
	if (stack == (void *)-1 || pthread_attr_setstack(&attributes, stack, size)
		|| pthread_create_(&t->real, &attributes, trampoline, t))
		unsupported("more threads than the system has room for", o->pc);
	me->inside = 0;
	pthread_attr_destroy(&attributes);
	t->detached = detached == PTHREAD_CREATE_DETACHED;
	*handle = t->real;
	event(o, t->slot);
	spawned(t);
	return 0;
}

/* Teams of OpenMP wait for each other by atomic operations of their library, which reports none. */
static int is_openmp(u64 pc)
{
	Dl_info library;
	if (of_program(pc) || !dladdr((void *)pc, &library) || !library.dli_fname)
		return 0;
	const char *names[] = {"/libgomp.so", "/libomp.so", "/libiomp5.so"};
	for (u32 i = 0; i < sizeof names / sizeof *names; i++)
		if (strstr(library.dli_fname, names[i]))
			return 1;
	return 0;
}
API int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
	threads_before_main |= !active;
	PASS(int, pthread_create, handle, attributes, run, arg)
	if (is_openmp(PC))
		unsupported("OpenMP", PC);
	START_OP(CREATE, 0);
	return create(&o, handle, attributes, run, arg);
}

static int join(struct op *o, pthread_t handle, void **result)
{
	struct thread *t = by_handle(handle);
	if (!t)
		misuse("a thread is joined that is not known, or was joined before", o->pc);
	if (t->detached)
		misuse("a detached thread is joined", o->pc);
	if (t == me)
		return EDEADLK;
	o->obj = t->slot;
	guard(o, cell_of(FINISHED, t->slot), 0);
	touch(o, cell_of(FINISHED, t->slot), 0);
	point(o);
	event(o, 0);
	t->joined = 1;
	if (result)
		*result = results[t->slot];
	return 0;
}
API int pthread_join(pthread_t handle, void **result)
{
	PASS(int, pthread_join, handle, result)
	START_OP(JOIN, 0);
	return join(&o, handle, result);
}
API int pthread_detach(pthread_t handle)
{
	PASS(int, pthread_detach, handle)
	struct thread *t = by_handle(handle);
	if (!t || t->detached)
		misuse("a thread is detached that is not known, or was joined or detached before", PC);
	t->detached = 1;
	return 0;
}
API void pthread_exit(void *result)
{
	if (ON) {
		results[me->slot] = result;
		if (me->number == 0)
			pthread_setspecific(last_words, (void *)1);
	}
	REAL(void, pthread_exit);
	pthread_exit_(result);
	__builtin_unreachable();
}
static int yield(u64 pc)
{
	struct op o = {.kind = YIELD, .pc = pc, .yields = 1};
	point(&o);
	event(&o, 0);
	return 0;
}
API int sched_yield(void) { PASS(int, sched_yield) return yield(PC); }

/* Time is virtual. It passes when a thread sleeps, reads a clock or times out, and is never before what happened earlier. */
#define SECOND 1000000000ul
#define BEGINNING 1700000000ul /* of time, in seconds, for all clocks */
static void pass_time(u64 nanoseconds) { me->time += nanoseconds; }
static int invalid(const struct timespec *t) { return (u64)t->tv_nsec >= SECOND; }
static int no_duration(const struct timespec *t) { return invalid(t) || t->tv_sec < 0; }
/* The C library waits by these clocks alone. */
static int waits_by(clockid_t c) { return c == CLOCK_REALTIME || c == CLOCK_MONOTONIC; }
/* Programs look at the clock after a time-out: it then shows at least the time that they asked for. */
static int until(int result, const struct timespec *t)
{
	if (result == ETIMEDOUT && t->tv_sec >= BEGINNING && t->tv_sec < 1l << 33) {
		u64 then = (t->tv_sec - BEGINNING) * SECOND + t->tv_nsec;
		if (then > me->time)
			pass_time(then - me->time);
	}
	return result;
}

/* Mutexes. */

static void lock_masks(struct object *x, int type)
{
	x->mask[0] = x->owner < 0 ? EVERYBODY : type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK ? only(x->owner) : NOBODY;
}
static struct object *mutex(pthread_mutex_t *m)
{
	struct object *x = object(OBJ(m), T_MUTEX);
	if (m->__data.__kind & 16)
		unsupported("a robust mutex", 0);
	x->needed = m->__data.__kind & 3;
	return x;
}
static void take(struct object *x)
{
	x->owner = me->slot;
	x->count++;
	me->held++;
	lock_masks(x, x->needed);
}
static void release(struct object *x, u64 pc)
{
	if (x->owner != me->slot)
		misuse(x->owner < 0 ? "a mutex is unlocked that is not locked" : "a mutex is unlocked that another thread holds", pc);
	me->held--;
	if (--x->count == 0)
		x->owner = -1;
	lock_masks(x, x->needed);
}

API int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
	REAL(int, pthread_mutex_init);
	if (!ON)
		return pthread_mutex_init_(m, attributes);
	START_OP(MUTEX_INIT, m);
	touch(&o, OBJ(m), 1);
	point(&o);
	int failed = pthread_mutex_init_(m, attributes);
	object(OBJ(m), T_MUTEX)->type = 0;
	mutex(m);
	event(&o, 0);
	return failed;
}
API int pthread_mutex_destroy(pthread_mutex_t *m)
{
	PASS(int, pthread_mutex_destroy, m)
	START_OP(MUTEX_DESTROY, m);
	touch(&o, OBJ(m), 1);
	point(&o);
	struct object *x = mutex(m);
	if (x->owner >= 0)
		misuse("a mutex is destroyed that is locked", o.pc);
	event(&o, 0);
	return 0;
}

static int lock(struct op *o, pthread_mutex_t *m)
{
	struct object *x = mutex(m);
	guard(o, x->cell, 0);
	touch(o, x->cell, 1);
	point(o);
	if (x->owner == me->slot && x->needed == PTHREAD_MUTEX_ERRORCHECK) {
		o->cell[0].write = 0;
		event(o, EDEADLK);
		return EDEADLK;
	}
	take(x);
	event(o, 0);
	return 0;
}
/* Takes a mutex if that needs no waiting, else answers `busy`. */
static int try(struct op *o, pthread_mutex_t *m, int busy)
{
	struct object *x = mutex(m);
	touch(o, x->cell, 1);
	point(o);
	int free = x->owner < 0 || (x->owner == me->slot && x->needed == PTHREAD_MUTEX_RECURSIVE);
	if (x->owner == me->slot && x->needed == PTHREAD_MUTEX_ERRORCHECK && o->kind == TIMEDLOCK)
		busy = EDEADLK;
	if (free)
		take(x);
	else
		o->cell[0].write = 0;
	event(o, free ? 0 : busy);
	return free ? 0 : busy;
}
/* Whether the mutex is of a kind that refuses an unlock by a thread that does not hold it. */
static int not_owned(struct object *x)
{
	return x->owner != me->slot && (x->needed == PTHREAD_MUTEX_ERRORCHECK || x->needed == PTHREAD_MUTEX_RECURSIVE);
}
static int unlock(struct op *o, pthread_mutex_t *m)
{
	struct object *x = mutex(m);
	touch(o, x->cell, 1);
	point(o);
	if (not_owned(x)) {
		o->cell[0].write = 0;
		event(o, EPERM);
		return EPERM;
	}
	release(x, o->pc);
	event(o, 0);
	return 0;
}
API int pthread_mutex_lock(pthread_mutex_t *m) { PASS(int, pthread_mutex_lock, m) START_OP(LOCK, m); return lock(&o, m); }
API int pthread_mutex_trylock(pthread_mutex_t *m) { PASS(int, pthread_mutex_trylock, m) START_OP(TRYLOCK, m); return try(&o, m, EBUSY); }
API int pthread_mutex_unlock(pthread_mutex_t *m) { PASS(int, pthread_mutex_unlock, m) START_OP(UNLOCK, m); return unlock(&o, m); }
/* The C library looks at the time only where it would wait. */
static int timedlock(struct op *o, pthread_mutex_t *m, const struct timespec *t)
{
	o->yields = 1;
	return until(try(o, m, invalid(t) ? EINVAL : ETIMEDOUT), t);
}
API int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t) { PASS(int, pthread_mutex_timedlock, m, t) START_OP(TIMEDLOCK, m); return timedlock(&o, m, t); }
API int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t c, const struct timespec *t)
{
	PASS(int, pthread_mutex_clocklock, m, c, t)
	START_OP(TIMEDLOCK, m);
	return waits_by(c) ? timedlock(&o, m, t) : EINVAL;
}

/* Spin locks. */
API int pthread_spin_init(pthread_spinlock_t *s, int shared_) { PASS(int, pthread_spin_init, s, shared_)
	START_OP(MUTEX_INIT, s); touch(&o, OBJ(s), 1); point(&o);
	struct object *x = object(OBJ(s), T_SPIN); x->owner = -1; x->count = 0; x->mask[0] = EVERYBODY; event(&o, 0); return 0; }
API int pthread_spin_destroy(pthread_spinlock_t *s) { PASS(int, pthread_spin_destroy, s) return 0; }
API int pthread_spin_lock(pthread_spinlock_t *s) { PASS(int, pthread_spin_lock, s)
	START_OP(LOCK, s); struct object *x = object(OBJ(s), T_SPIN); guard(&o, x->cell, 0); touch(&o, x->cell, 1); point(&o);
	take(x); event(&o, 0); return 0; }
API int pthread_spin_trylock(pthread_spinlock_t *s) { PASS(int, pthread_spin_trylock, s)
	START_OP(TRYLOCK, s); struct object *x = object(OBJ(s), T_SPIN); touch(&o, x->cell, 1); point(&o);
	int free = x->owner < 0; if (free) take(x); else o.cell[0].write = 0;
	event(&o, free ? 0 : EBUSY); return free ? 0 : EBUSY; }
API int pthread_spin_unlock(pthread_spinlock_t *s) { PASS(int, pthread_spin_unlock, s)
	START_OP(UNLOCK, s); struct object *x = object(OBJ(s), T_SPIN); touch(&o, x->cell, 1); point(&o);
	release(x, o.pc); event(&o, 0); return 0; }

/* Conditions. A signal may wake any thread that waits at that time. So it is a token, and a waiter that wakes takes the
   oldest token that is for it. */

static void wake_masks(struct object *x)
{
	x->mask[0] = x->freed;
	for (int i = 0; i < x->ntokens; i++)
		x->mask[0] |= x->tokens[i];
}
static void stop_waiting(struct object *x)
{
	set bit = BIT;
	int kept = 0;
	x->waiting &= ~bit, x->freed &= ~bit;
	for (int i = 0; i < x->ntokens; i++)
		if (count(x->tokens[i] & ~bit))
			x->tokens[kept++] = x->tokens[i] & ~bit;
	x->ntokens = kept;
}
static int wake(struct object *x)
{
	int taken = has(x->freed, me->slot);
	for (int i = 0; i < x->ntokens && !taken; i++)
		if (has(x->tokens[i], me->slot)) {
			memmove(x->tokens + i, x->tokens + i + 1, (x->ntokens - i - 1) * sizeof *x->tokens);
			x->ntokens--;
			taken = 1;
		}
	stop_waiting(x);
	wake_masks(x);
	return taken;
}
/* Gives a token for each signal, as long as there are fewer tokens than waiters. Returns whether it gave one. */
static int give(struct object *x, u64 how_many)
{
	set open = x->waiting & ~x->freed;
	int before = x->ntokens;
	while (how_many-- && x->ntokens < count(open))
		x->tokens[x->ntokens++] = open;
	wake_masks(x);
	return x->ntokens > before;
}
static int give_all(struct object *x)
{
	int any = count(x->waiting & ~x->freed) > 0;
	x->freed = x->waiting;
	x->ntokens = 0;
	wake_masks(x);
	return any;
}

static int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *timed, u64 pc)
{
	if (timed && invalid(timed))
		return EINVAL;
	struct object *x = object(OBJ(c), T_COND), *y = mutex(m);
	struct op o = {.kind = WAIT, .pc = pc, .obj = (u64)c};
	touch(&o, y->cell, 1);
	touch(&o, x->cell, 1);
	point(&o);
	if (y->owner == me->slot && y->count > 1)
		unsupported("a condition with a mutex that is locked more than once", pc);
	if (not_owned(y)) {
		o.cell[0].write = o.cell[1].write = 0;
		event(&o, EPERM);
		return EPERM;
	}
	release(y, pc);
	x->waiting |= BIT;
	event(&o, 0);
	/* POSIX allows a thread to wake up without a signal. Here each thread may do so once, if the options ask for it. */
	int spurious = !timed && shared->flags & FLAG_SPURIOUS && !me->spurious;
	struct op w = {.kind = WAKE, .pc = pc, .obj = (u64)c, .yields = timed || spurious};
	touch(&w, x->cell, 1);
	if (!timed) {
		if (!spurious)
			guard(&w, x->cell, 0);
		guard(&w, y->cell, 0);
		touch(&w, y->cell, 1);
	}
	point(&w);
	int result = wake(x) ? 0 : ETIMEDOUT;
	if (!result || spurious)
		disturbed();
	if (timed)
		given(result);
	if (!timed)
		take(y);
	event(&w, result);
	if (result && spurious)
		result = 0, me->spurious = 1;
	if (timed) {
		/* Between the time-out and the lock others may still do what the thread waited for. */
		struct op l = {.kind = LOCK, .pc = pc, .obj = (u64)m};
		lock(&l, m);
		until(result, timed);
	}
	return result;
}
API int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
	REAL(int, pthread_cond_init);
	if (!ON)
		return pthread_cond_init_(c, a);
	START_OP(COND_INIT, c);
	touch(&o, OBJ(c), 1);
	point(&o);
	object(OBJ(c), T_COND)->type = 0;
	object(OBJ(c), T_COND);
	event(&o, 0);
	return pthread_cond_init_(c, a);
}
API int pthread_cond_destroy(pthread_cond_t *c) { PASS(int, pthread_cond_destroy, c) return 0; }
API int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { PASS(int, pthread_cond_wait, c, m) return cond_wait(c, m, 0, PC); }
API int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{ PASS(int, pthread_cond_timedwait, c, m, t) return cond_wait(c, m, t, PC); }
API int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, const struct timespec *t)
{ PASS(int, pthread_cond_clockwait, c, m, k, t) return waits_by(k) ? cond_wait(c, m, t, PC) : EINVAL; }
static int signal_op(struct op *o, void *c, u64 how_many, int type, u64 cell)
{
	(void)c;
	struct object *x = object(cell, type);
	touch(o, cell, 1);
	point(o);
	u64 before = count(x->waiting & ~x->freed) - x->ntokens;
	int any = how_many > THREADS ? give_all(x) : give(x, how_many);
	if (!any)
		o->cell[0].write = 0;
	u64 woken = before < how_many ? before : how_many;
	if (type == T_FUTEX)
		given(woken);
	event(o, woken);
	return woken;
}
API int pthread_cond_signal(pthread_cond_t *c) { PASS(int, pthread_cond_signal, c) START_OP(SIGNAL, c); signal_op(&o, c, 1, T_COND, OBJ(c)); return 0; }
API int pthread_cond_broadcast(pthread_cond_t *c) { PASS(int, pthread_cond_broadcast, c) START_OP(BROADCAST, c); signal_op(&o, c, ~0ul, T_COND, OBJ(c)); return 0; }

/* Semaphores: counters as `explore/dpor/counter.rs` has them. Posts write a semaphore's own cell, takes write a second one. Each
   unit is a cell that its post writes and its take reads. Every other look at the value reads the first two cells. */
static struct object *takes_of(struct object *x)
{
	struct object *t = object(cell_of(TAKES, x->cell), T_SEM);
	t->semaphore = x;
	return t;
}
void set_units(struct object *x, u64 value)
{
	if (x->takes < x->posts)
		x->takes = x->posts;
	x->given = x->posts = x->takes + value;
	struct object *t = takes_of(x);
	t->mask[0][0] = x->takes + 1, t->mask[1][0] = x->given;
}
static u64 units(struct object *x) { return x->posts - x->takes; }
/* Finds a unit by its number: its cell, and where its time is kept. A semaphore lies at a multiple of eight. */
static void use_unit(struct op *o, struct object *x, u64 number)
{
	u64 at = (x->cell & 0xffffffffffffff) >> 3;
	if (number >> 12)
		at = (at ^ number * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu >> 8;
	else
		at |= number << 44;
	o->unit = cell_of(UNIT, at);
	if (number <= x->given)
		return;
	u64 index = number - x->given - 1;
	if (index >= x->room) {
		u64 *more = grab((x->room = 2 * index + 16) * sizeof *more);
		if (index)
			memcpy(more, x->times, index * sizeof *more);
		x->times = more;
	}
	o->unit_time = x->times + index;
}
static void begin_units(struct object *x, u64 value)
{
	x->state = 1;
	/* No execution posts so often that a smaller value comes to the maximum. */
	x->needed = value > SEM_VALUE_MAX / 2;
	set_units(x, value);
}
static struct object *semaphore(sem_t *s)
{
	struct object *x = object(OBJ(s), T_SEM);
	if (!x->state) {
		REAL(int, sem_getvalue);
		int value = 0;
		sem_getvalue_(s, &value);
		begin_units(x, value);
	}
	return x;
}
static int sem_take(struct op *o, sem_t *s, int blocks, int failure)
{
	struct object *x = semaphore(s), *t = takes_of(x);
	if (blocks)
		guard(o, t->cell, UNITS);
	else
		touch(o, x->cell, 1);
	touch(o, t->cell, 1);
	point(o);
	int free = units(x) > 0;
	if (blocks) {
		use_unit(o, x, ++x->takes);
		t->mask[0][0] = x->takes + 1;
	} else if (free)
		set_units(x, units(x) - 1);
	else
		o->cell[0].write = o->cell[1].write = 0;
	event(o, units(x));
	if (!free)
		errno = failure;
	return free ? 0 : -1;
}
API int sem_init(sem_t *s, int shared_, unsigned value)
{
	REAL(int, sem_init);
	int failed = sem_init_(s, shared_, value);
	if (!ON || failed)
		return failed;
	START_OP(SEM_INIT, s);
	touch(&o, OBJ(s), 1);
	touch(&o, cell_of(TAKES, (u64)s), 1);
	point(&o);
	struct object *x = object(OBJ(s), T_SEM);
	begin_units(x, value);
	event(&o, value);
	return 0;
}
API int sem_destroy(sem_t *s) { PASS(int, sem_destroy, s) return 0; }
API int sem_wait(sem_t *s) { PASS(int, sem_wait, s) START_OP(SEM_WAIT, s); return sem_take(&o, s, 1, 0); }
API int sem_trywait(sem_t *s) { PASS(int, sem_trywait, s) START_OP(SEM_TRY, s); return sem_take(&o, s, 0, EAGAIN); }
static int sem_timed(struct op *o, sem_t *s, clockid_t c, const struct timespec *t)
{
	if (invalid(t) || !waits_by(c)) {
		errno = EINVAL;
		return -1;
	}
	o->yields = 1;
	return sem_take(o, s, 0, ETIMEDOUT) ? until(ETIMEDOUT, t), -1 : 0;
}
API int sem_timedwait(sem_t *s, const struct timespec *t) { PASS(int, sem_timedwait, s, t) START_OP(SEM_TIMED, s); return sem_timed(&o, s, CLOCK_REALTIME, t); }
API int sem_clockwait(sem_t *s, clockid_t c, const struct timespec *t) { PASS(int, sem_clockwait, s, c, t) START_OP(SEM_TIMED, s); return sem_timed(&o, s, c, t); }
API int sem_post(sem_t *s)
{
	PASS(int, sem_post, s)
	START_OP(SEM_POST, s);
	struct object *x = semaphore(s);
	touch(&o, x->cell, 1);
	if (x->needed)
		touch(&o, takes_of(x)->cell, 0);
	point(&o);
	if (units(x) >= SEM_VALUE_MAX) {
		o.cell[0].write = 0;
		event(&o, units(x));
		errno = EOVERFLOW;
		return -1;
	}
	use_unit(&o, x, ++x->posts);
	event(&o, units(x));
	return 0;
}
API int sem_getvalue(sem_t *s, int *value)
{
	PASS(int, sem_getvalue, s, value)
	START_OP(SEM_VALUE, s);
	struct object *x = semaphore(s);
	touch(&o, x->cell, 0);
	touch(&o, takes_of(x)->cell, 0);
	point(&o);
	*value = units(x);
	event(&o, *value);
	return 0;
}

/* Read-write locks: class 0 waits to read, class 1 to write. A writer that would wait for itself gets an error. */
static void rw_masks(struct object *x)
{
	x->mask[0] = x->owner < 0 ? EVERYBODY : only(x->owner);
	x->mask[1] = x->owner < 0 && x->count ? NOBODY : x->mask[0];
}
static struct object *rw(pthread_rwlock_t *l)
{
	struct object *x = object(OBJ(l), T_RW);
	/* A reader of such a lock waits for writers that wait. */
	if (l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		unsupported("a read-write lock that prefers writers", 0);
	rw_masks(x);
	return x;
}
static int rw_take(struct op *o, pthread_rwlock_t *l, int writes, int blocks, int failure)
{
	struct object *x = rw(l);
	if (blocks)
		guard(o, x->cell, writes);
	touch(o, x->cell, 1);
	point(o);
	int own = x->owner == me->slot, free = !own && has(x->mask[writes], me->slot);
	if (own && failure != EBUSY)
		failure = EDEADLK;
	if (!free)
		o->cell[0].write = 0;
	else if (writes)
		x->owner = me->slot;
	else
		x->readers[me->slot]++, x->count++;
	me->held += free;
	rw_masks(x);
	event(o, free ? 0 : failure);
	return free ? 0 : failure;
}
API int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a)
{
	REAL(int, pthread_rwlock_init);
	if (!ON)
		return pthread_rwlock_init_(l, a);
	START_OP(RW_INIT, l);
	touch(&o, OBJ(l), 1);
	point(&o);
	pthread_rwlock_init_(l, a);
	object(OBJ(l), T_RW)->type = 0;
	rw(l);
	event(&o, 0);
	return 0;
}
API int pthread_rwlock_destroy(pthread_rwlock_t *l) { PASS(int, pthread_rwlock_destroy, l) return 0; }
API int pthread_rwlock_rdlock(pthread_rwlock_t *l) { PASS(int, pthread_rwlock_rdlock, l) START_OP(RW_READ, l); return rw_take(&o, l, 0, 1, 0); }
API int pthread_rwlock_wrlock(pthread_rwlock_t *l) { PASS(int, pthread_rwlock_wrlock, l) START_OP(RW_WRITE, l); return rw_take(&o, l, 1, 1, 0); }
API int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { PASS(int, pthread_rwlock_tryrdlock, l) START_OP(RW_TRY, l); return rw_take(&o, l, 0, 0, EBUSY); }
API int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { PASS(int, pthread_rwlock_trywrlock, l) START_OP(RW_TRY, l); return rw_take(&o, l, 1, 0, EBUSY); }
#define RW_TIMED(name, writes, extra, clock, ...) API int name(pthread_rwlock_t *l, extra const struct timespec *t) { \
	PASS(int, name, l, __VA_ARGS__) START_OP(RW_TRY, l); \
	if (invalid(t) || !waits_by(clock)) return EINVAL; \
	o.yields = 1; return until(rw_take(&o, l, writes, 0, ETIMEDOUT), t); }
#define CLOCK clockid_t c,
RW_TIMED(pthread_rwlock_timedrdlock, 0, , CLOCK_REALTIME, t) RW_TIMED(pthread_rwlock_timedwrlock, 1, , CLOCK_REALTIME, t)
RW_TIMED(pthread_rwlock_clockrdlock, 0, CLOCK, c, c, t) RW_TIMED(pthread_rwlock_clockwrlock, 1, CLOCK, c, c, t)
API int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	PASS(int, pthread_rwlock_unlock, l)
	START_OP(RW_UNLOCK, l);
	struct object *x = rw(l);
	touch(&o, x->cell, 1);
	point(&o);
	if (x->owner == me->slot)
		x->owner = -1;
	else if (x->readers[me->slot])
		x->readers[me->slot]--, x->count--;
	else
		misuse("a read-write lock is unlocked that this thread does not hold", o.pc);
	me->held--;
	rw_masks(x);
	event(&o, 0);
	return 0;
}

/* Barriers. */
API int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count)
{
	PASS(int, pthread_barrier_init, b, a, count)
	if (!count)
		return EINVAL;
	START_OP(BARRIER_INIT, b);
	touch(&o, OBJ(b), 1);
	point(&o);
	struct object *x = object(OBJ(b), T_BARRIER);
	x->needed = count, x->count = 0, x->waiting = x->mask[0] = NOBODY;
	event(&o, count);
	return 0;
}
API int pthread_barrier_destroy(pthread_barrier_t *b) { PASS(int, pthread_barrier_destroy, b) return 0; }
API int pthread_barrier_wait(pthread_barrier_t *b)
{
	PASS(int, pthread_barrier_wait, b)
	START_OP(ARRIVE, b);
	struct object *x = object(OBJ(b), T_BARRIER);
	touch(&o, x->cell, 1);
	point(&o);
	if (!x->needed)
		misuse("a barrier is used that was not initialised by this run", o.pc);
	int final = ++x->count == x->needed;
	x->waiting |= BIT;
	x->mask[0] &= ~BIT;
	if (final) {
		x->mask[0] |= x->waiting;
		x->waiting = NOBODY;
		x->count = 0;
	}
	event(&o, final);
	if (final)
		return PTHREAD_BARRIER_SERIAL_THREAD;
	struct op l = {.kind = LEAVE, .pc = o.pc, .obj = (u64)b};
	guard(&l, x->cell, 0);
	touch(&l, x->cell, 0);
	point(&l);
	event(&l, 0);
	return 0;
}

/* Functions that run once: those of `pthread_once`, and the initialisation of local statics in C++. */
static int once_begin(void *control, int (*done)(void *), u64 pc)
{
	struct op o = {.kind = ONCE, .pc = pc, .obj = (u64)control};
	struct object *x = object(OBJ(control), T_ONCE);
	guard(&o, x->cell, 0);
	touch(&o, x->cell, 1);
	point(&o);
	/* It may have been done before `main`, or another object may lie here now. */
	x->state = done(control) ? 2 : 0;
	int first = x->state == 0;
	if (first)
		x->state = 1, x->mask[0] = NOBODY;
	else
		o.cell[0].write = 0;
	event(&o, first);
	return first;
}
/* Compiled code looks at the first byte of a local static's guard itself, by an atomic load. */
static void once_end(void *control, int state, int guard_byte, u64 pc)
{
	struct op o = {.kind = ONCE_DONE, .pc = pc, .obj = (u64)control};
	struct object *x = object(OBJ(control), T_ONCE);
	touch(&o, x->cell, 1);
	if (guard_byte)
		access_cells(&o, (u64)control, 1, 1);
	point(&o);
	if (guard_byte)
		*(u8 *)control = state == 2;
	else
		*(pthread_once_t *)control = state == 2 ? 2 : 0;
	x->state = state;
	x->mask[0] = EVERYBODY;
	event(&o, state == 2);
}
static int once_done(void *control) { return *(pthread_once_t *)control == 2; }
static int guard_done(void *control) { return *(u8 *)control; }
struct running { void *control; int done; u64 pc; };
static void once_cleanup(struct running *r) { once_end(r->control, r->done ? 2 : 0, 0, r->pc); }
static int once(pthread_once_t *control, void (*run)(void), u64 pc)
{
	if (!once_begin(control, once_done, pc))
		return 0;
	struct running r __attribute__((cleanup(once_cleanup))) = {control, 0, pc};
	run();
	r.done = 1;
	return 0;
}
API int pthread_once(pthread_once_t *c, void (*run)(void)) { PASS(int, pthread_once, c, run) return once(c, run, PC); }
API int __cxa_guard_acquire(u8 *g)
{
	PASS(int, __cxa_guard_acquire, g)
	return once_begin(g, guard_done, PC);
}
API void __cxa_guard_release(u8 *g)
{
	if (!ON) { REAL(void, __cxa_guard_release); __cxa_guard_release_(g); return; }
	once_end(g, 2, 1, PC);
}
API void __cxa_guard_abort(u8 *g)
{
	if (!ON) { REAL(void, __cxa_guard_abort); __cxa_guard_abort_(g); return; }
	once_end(g, 0, 1, PC);
}

/* The system call under `std::future`, `std::atomic::wait` and locks of one's own. */
static long futex(u32 *word, int asked, u32 value, const struct timespec *timeout, u64 pc)
{
	u64 cell = cell_of(FUTEX, (u64)word);
	struct object *x = object(cell, T_FUTEX);
	int what = asked & FUTEX_CMD_MASK;
	if (what == FUTEX_WAKE || what == FUTEX_WAKE_BITSET) {
		struct op o = {.kind = FUTEX_WAKES, .pc = pc, .obj = (u64)word};
		return signal_op(&o, word, value > THREADS ? ~0ul : value, T_FUTEX, cell);
	}
	if (what != FUTEX_WAIT && what != FUTEX_WAIT_BITSET)
		unsupported("a futex operation other than wait and wake", pc);
	if (timeout && no_duration(timeout)) {
		errno = EINVAL;
		return -1;
	}
	struct op o = {.kind = FUTEX_WAITS, .pc = pc, .obj = (u64)word};
	touch(&o, cell, 1);
	access_cells(&o, (u64)word, 4, 0);
	point(&o);
	int waits = *(volatile u32 *)word == value;
	if (waits)
		x->waiting |= BIT;
	else
		o.cell[0].write = 0;
	event(&o, waits);
	if (!waits) {
		errno = EAGAIN;
		return -1;
	}
	struct op w = {.kind = FUTEX_WOKEN, .pc = pc, .obj = (u64)word, .yields = timeout != 0};
	if (!timeout)
		guard(&w, cell, 0);
	touch(&w, cell, 1);
	point(&w);
	int woken = wake(x);
	if (woken)
		disturbed();
	given(woken);
	event(&w, woken);
	if (!woken && timeout && what == FUTEX_WAIT)
		pass_time((u64)timeout->tv_sec * SECOND + timeout->tv_nsec);
	else if (!woken && timeout)
		until(ETIMEDOUT, timeout);
	errno = woken ? 0 : ETIMEDOUT;
	return woken ? 0 : -1;
}
static const long of_processes[] = {
#if defined(__x86_64__)
	SYS_fork, SYS_vfork,
#endif
	SYS_clone, SYS_clone3, SYS_execve, SYS_execveat, SYS_kill, SYS_tkill, SYS_tgkill,
};
API long syscall(long number, ...)
{
	va_list list;
	va_start(list, number);
	u64 a[6];
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, u64);
	va_end(list);
	if (ON && number == SYS_futex)
		return futex((u32 *)a[0], a[1], a[2], (void *)a[3], PC);
	if (ON && number == SYS_gettid)
		return gettid();
	if (ON && number == SYS_getpid)
		return server_pid;
	if (ON && number == SYS_getrandom)
		return getrandom((void *)a[0], a[1], a[2]);
	for (u32 i = 0; ON && i < sizeof of_processes / sizeof *of_processes; i++)
		if (number == of_processes[i])
			unsupported("a system call that makes processes or sends signals", PC);
	if (ON)
		by_number();
	REAL(long, syscall);
	return syscall_(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Threads of C11, which the C library does not lead through the functions above. */
#include <threads.h>
static int c11(int error) { return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error; }
struct c11_start { thrd_start_t run; void *arg; };
static void *c11_run(void *p)
{
	struct c11_start s = *(struct c11_start *)p;
	return (void *)(long)s.run(s.arg);
}
API int thrd_create(thrd_t *t, thrd_start_t run, void *arg)
{
	threads_before_main |= !active;
	PASS(int, thrd_create, t, run, arg)
	START_OP(CREATE, 0);
	struct c11_start *s = grab(sizeof *s);
	s->run = run, s->arg = arg;
	return c11(create(&o, t, 0, c11_run, s));
}
API int thrd_join(thrd_t t, int *result)
{
	PASS(int, thrd_join, t, result)
	START_OP(JOIN, 0);
	void *got = 0;
	int failed = join(&o, t, &got);
	if (result)
		*result = (int)(long)got;
	return c11(failed);
}
API int thrd_detach(thrd_t t) { PASS(int, thrd_detach, t) return c11(pthread_detach(t)); }
API void thrd_exit(int r) { pthread_exit((void *)(long)r); }
API void thrd_yield(void) { if (ON) yield(PC); else sched_yield(); }
API int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	return c11(pthread_mutex_init((pthread_mutex_t *)m, &a));
}
API void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
API int mtx_lock(mtx_t *m) { PASS(int, mtx_lock, m) START_OP(LOCK, m); return c11(lock(&o, (void *)m)); }
API int mtx_trylock(mtx_t *m) { PASS(int, mtx_trylock, m) START_OP(TRYLOCK, m); return c11(try(&o, (void *)m, EBUSY)); }
API int mtx_timedlock(mtx_t *m, const struct timespec *t) { PASS(int, mtx_timedlock, m, t) START_OP(TIMEDLOCK, m); return c11(timedlock(&o, (void *)m, t)); }
API int mtx_unlock(mtx_t *m)
{
	PASS(int, mtx_unlock, m)
	START_OP(UNLOCK, m);
	/* C11 does not define this; POSIX does. */
	if (unlock(&o, (void *)m))
		misuse("a mutex is unlocked that this thread does not hold", o.pc);
	return thrd_success;
}
API int cnd_init(cnd_t *c) { return c11(pthread_cond_init((pthread_cond_t *)c, 0)); }
API void cnd_destroy(cnd_t *c) { (void)c; }
API int cnd_wait(cnd_t *c, mtx_t *m) { PASS(int, cnd_wait, c, m) return c11(cond_wait((void *)c, (void *)m, 0, PC)); }
API int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *t) { PASS(int, cnd_timedwait, c, m, t) return c11(cond_wait((void *)c, (void *)m, t, PC)); }
API int cnd_signal(cnd_t *c) { PASS(int, cnd_signal, c) START_OP(SIGNAL, c); signal_op(&o, c, 1, T_COND, OBJ(c)); return thrd_success; }
API int cnd_broadcast(cnd_t *c) { PASS(int, cnd_broadcast, c) START_OP(BROADCAST, c); signal_op(&o, c, ~0ul, T_COND, OBJ(c)); return thrd_success; }
API void call_once(once_flag *f, void (*run)(void)) { if (ON) once((pthread_once_t *)f, run, PC); else pthread_once((pthread_once_t *)f, run); }

static u64 now(void) { pass_time(1000); disturbed(); return given(BEGINNING * SECOND + me->time); }
/* Returns an error, or 0. */
static int sleep_for(const struct timespec *t, u64 pc)
{
	if (no_duration(t))
		return EINVAL;
	struct op o = {.kind = YIELD, .pc = pc, .yields = 1};
	point(&o);
	pass_time((u64)t->tv_sec * SECOND + (u64)t->tv_nsec);
	event(&o, 0);
	return 0;
}
/* Whether the system has this clock. */
static int is_clock(clockid_t c)
{
	struct timespec t;
	REAL(int, clock_gettime);
	return clock_gettime_(c, &t) == 0;
}
API int clock_gettime(clockid_t c, struct timespec *t) { PASS(int, clock_gettime, c, t) if (!is_clock(c)) return -1; u64 n = now(); struct timespec is = {n / SECOND, n % SECOND}; fill(t, (u8 *)&is, sizeof is, PC); return 0; }
API int gettimeofday(struct timeval *t, void *z) { PASS(int, gettimeofday, t, z) u64 n = now(); struct timeval is = {n / SECOND, n % SECOND / 1000}; fill(t, (u8 *)&is, sizeof is, PC); return 0; }
API time_t time(time_t *t) { PASS(time_t, time, t) time_t n = now() / SECOND; if (t) fill(t, (u8 *)&n, sizeof n, PC); return n; }
API clock_t clock(void) { PASS(clock_t, clock) return now() / 1000 % 1000000000; }
API int nanosleep(const struct timespec *t, struct timespec *rest) { PASS(int, nanosleep, t, rest) int failed = sleep_for(t, PC); if (failed) errno = failed; return failed ? -1 : 0; }
API int clock_nanosleep(clockid_t c, int flags, const struct timespec *t, struct timespec *rest)
{
	PASS(int, clock_nanosleep, c, flags, t, rest)
	int saved = errno;
	if (no_duration(t) || c == CLOCK_THREAD_CPUTIME_ID || !is_clock(c)) {
		errno = saved;
		return EINVAL;
	}
	struct timespec n = *t;
	if (flags & TIMER_ABSTIME) {
		u64 until = (u64)t->tv_sec * SECOND + (u64)t->tv_nsec, at = now(), left = until > at ? until - at : 0;
		n.tv_sec = left / SECOND, n.tv_nsec = left % SECOND;
	}
	return sleep_for(&n, PC);
}
API int usleep(useconds_t u) { PASS(int, usleep, u) struct timespec t = {u / 1000000, u % 1000000 * 1000}; return sleep_for(&t, PC); }
API unsigned sleep(unsigned s) { PASS(unsigned, sleep, s) struct timespec t = {s, 0}; return sleep_for(&t, PC); }
API int thrd_sleep(const struct timespec *t, struct timespec *rest) { PASS(int, thrd_sleep, t, rest) return sleep_for(t, PC) ? -2 : 0; }

/* Numbers that are not random. Each thread has its own, and they are the same in each execution. */
static u64 number(void) { disturbed(); me->random = me->random * 6364136223846793005u + 1442695040888963407u; return given(me->random >> 33); }
API int rand(void) { PASS(int, rand) return number(); }
API long random(void) { PASS(long, random) return number(); }
API void srand(unsigned seed) { if (ON) { me->random = seed * 77ul + me->slot; return; } REAL(void, srand); srand_(seed); }
API void srandom(unsigned seed) { if (ON) { me->random = seed * 77ul + me->slot; return; } REAL(void, srandom); srandom_(seed); }
static void not_random(u8 *to, u64 n)
{
	for (u64 i = 0; i < n; i++)
		to[i] = number();
}
API ssize_t getrandom(void *to, size_t n, unsigned flags)
{
	PASS(ssize_t, getrandom, to, n, flags)
	not_random(to, n);
	return n;
}
/* Replaces the bytes that are read from /dev/random and /dev/urandom. */
void seeded(int file, u8 *bytes, u64 n)
{
	struct stat at;
	if (!fstat(file, &at) && S_ISCHR(at.st_mode) && (at.st_rdev == makedev(1, 8) || at.st_rdev == makedev(1, 9)))
		not_random(bytes, n);
}
API int getentropy(void *to, size_t n) { PASS(int, getentropy, to, n) return getrandom(to, n, 0) < 0; }
API void arc4random_buf(void *to, size_t n) { PASS(void, arc4random_buf, to, n) getrandom(to, n, 0); }
static u32 word(void) { return number() << 16 ^ number(); }
API u32 arc4random(void) { PASS(u32, arc4random) return word(); }
/* `std::random_device` asks this. Without us it might ask the processor. */
API u32 _ZNSt13random_device9_M_getvalEv(void *device) { PASS(u32, _ZNSt13random_device9_M_getvalEv, device) return word(); }
API u32 arc4random_uniform(u32 most) { PASS(u32, arc4random_uniform, most) return most ? number() % most : 0; }
API long lrand48(void) { PASS(long, lrand48) return number(); }
API long mrand48(void) { PASS(long, mrand48) return (int)word(); }
API double drand48(void) { REAL(double, drand48); return ON ? number() / 2147483648.0 : drand48_(); }
API void srand48(long seed) { if (ON) return srand(seed); REAL(void, srand48); srand48_(seed); }
API pid_t getpid(void) { PASS(pid_t, getpid) return server_pid; }
API pid_t gettid(void) { PASS(pid_t, gettid) return server_pid + me->slot; }

/* Exceptions that threads share: libstdc++ counts the holders by atomic operations, which it does not report. */
static void counts_holders(u64 pc)
{
	if (!ON)
		return;
	struct op o = {.kind = HOLDERS, .pc = pc};
	touch(&o, cell_of(OBJECT, 3), 1);
	point(&o);
	event(&o, 0);
}
#define HOLDS(name, parameters, ...) API void name parameters { counts_holders(PC); REAL(void, name); name##_(__VA_ARGS__); }
HOLDS(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv, (void *p), p)
HOLDS(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, (void *p), p)
API void __cxa_end_catch(void)
{
	if (ON && me->exceptions)
		counts_holders(PC);
	REAL(void, __cxa_end_catch);
	__cxa_end_catch_();
}
API void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void *p)
{
	if (ON)
		me->exceptions = 1, counts_holders(PC);
	REAL(void, _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE);
	_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE_(p);
}
#if defined(__x86_64__)
/* On this machine, the first argument is the place where the result is to be built. */
API void *_ZSt17current_exceptionv(void *to)
{
	if (ON)
		me->exceptions = 1, counts_holders(PC);
	REAL(void *, _ZSt17current_exceptionv);
	return _ZSt17current_exceptionv_(to);
}
#endif

/* A call that is not controlled ends the run: no answer is better than a wrong one. */
#define REFUSE(type, name, parameters, ...) API type name parameters { \
	if (ON) unsupported(#name, PC); \
	REAL(type, name); return name##_(__VA_ARGS__); }
API void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void *r)
{
	PASS(void, _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv, r)
	unsupported("set_value_at_thread_exit", PC);
}
REFUSE(int, pthread_cancel, (pthread_t t), t)
REFUSE(int, pthread_kill, (pthread_t t, int s), t, s)
REFUSE(int, pthread_timedjoin_np, (pthread_t t, void **r, const struct timespec *a), t, r, a)
REFUSE(int, pthread_tryjoin_np, (pthread_t t, void **r), t, r)
REFUSE(int, pthread_clockjoin_np, (pthread_t t, void **r, clockid_t c, const struct timespec *a), t, r, c, a)
REFUSE(int, pthread_mutex_consistent, (pthread_mutex_t *m), m)
REFUSE(pid_t, fork, (void))
REFUSE(pid_t, vfork, (void))
REFUSE(pid_t, _Fork, (void))
REFUSE(pid_t, forkpty, (int *m, char *n, const void *t, const void *w), m, n, t, w)
REFUSE(int, daemon, (int d, int c), d, c)
REFUSE(int, wordexp, (const char *s, void *w, int f), s, w, f)
API int clone(int (*run)(void *), void *stack, int flags, void *arg, ...)
{
	if (ON)
		unsupported("clone", PC);
	va_list l;
	va_start(l, arg);
	void *parent = va_arg(l, void *), *local = va_arg(l, void *), *child = va_arg(l, void *);
	va_end(l);
	REAL(int, clone);
	return clone_(run, stack, flags, arg, parent, local, child);
}
REFUSE(int, kill, (pid_t p, int s), p, s)
REFUSE(int, tgkill, (pid_t p, pid_t t, int s), p, t, s)
REFUSE(void, quick_exit, (int s), s)
REFUSE(int, system, (const char *c), c)
REFUSE(FILE *, popen, (const char *c, const char *m), c, m)
REFUSE(int, execve, (const char *f, char *const a[], char *const e[]), f, a, e)
REFUSE(int, execv, (const char *f, char *const a[]), f, a)
REFUSE(int, execvp, (const char *f, char *const a[]), f, a)
REFUSE(int, execvpe, (const char *f, char *const a[], char *const e[]), f, a, e)
REFUSE(int, fexecve, (int f, char *const a[], char *const e[]), f, a, e)
/* Arguments one by one, then as they are in a list. */
#define LISTED(name, ...) API int name(const char *f, const char *a, ...) { \
	if (ON) unsupported(#name, PC); \
	va_list l; va_start(l, a); \
	int n = 1; for (const char *x = a; x; n++) x = va_arg(l, const char *); \
	char *v[n + 1], **e; va_end(l); va_start(l, a); \
	v[0] = (char *)a; for (int i = 1; i < n; i++) v[i] = va_arg(l, char *); \
	e = va_arg(l, char **); va_end(l); (void)e; return __VA_ARGS__; }
LISTED(execl, execv(f, v)) LISTED(execlp, execvp(f, v)) LISTED(execle, execve(f, v, e))
REFUSE(int, posix_spawn, (void *p, void *f, void *a, void *t, void *v, void *e), p, f, a, t, v, e)
REFUSE(int, posix_spawnp, (void *p, void *f, void *a, void *t, void *v, void *e), p, f, a, t, v, e)
REFUSE(int, timer_create, (clockid_t c, struct sigevent *e, timer_t *t), c, e, t)
REFUSE(unsigned, ualarm, (unsigned a, unsigned b), a, b)
REFUSE(int, mq_notify, (int q, void *e), q, e)
REFUSE(int, aio_read, (void *a), a)
REFUSE(int, aio_write, (void *a), a)
REFUSE(int, sigqueue, (pid_t p, int s, void *v), p, s, v)
REFUSE(int, pthread_sigqueue, (pthread_t t, int s, void *v), t, s, v)
REFUSE(void, flockfile, (FILE *f), f)
REFUSE(unsigned, alarm, (unsigned s), s)
REFUSE(int, setitimer, (__itimer_which_t w, const struct itimerval *n, struct itimerval *o), w, n, o)
API sem_t *sem_open(const char *name, int flags, ...)
{
	va_list l;
	va_start(l, flags);
	unsigned mode = va_arg(l, unsigned), value = va_arg(l, unsigned);
	va_end(l);
	PASS(sem_t *, sem_open, name, flags, mode, value)
	unsupported("sem_open", PC);
}
