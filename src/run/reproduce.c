@HEAD@
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Who runs, and for how many steps; then the next one does. A step is an access to memory that the compiler has reported
   (__tsan_*), or a call of a function below. The thread stops before it does what that step is. 0 steps: up to the end. */
static const struct { int thread, steps; } order[] = {
@ORDER@};
//@given
/* What comes from outside, in this order: inputs, times, random numbers, which waits were late. */
static const long long given[] = {
@GIVEN@};
//@

/* What is said behind the last step, for an error at which the program does not fail by itself. */
static const char *const error = @ERROR@;

/* The function of the C library that one of the same name below stands before. */
#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static struct thread { int go, steps; void *(*run)(void *); void *arg; } threads[256];
static __thread struct thread *me; /* none before main and behind a thread's end */
static int created = 1, alive = 1, now, left;
static pthread_key_t last_words;

static void say(const char *text)
{
	if (write(2, text, __builtin_strlen(text)) < 0)
		abort();
}

static void lost(const char *why)
{
	say("the order of threads cannot be followed: ");
	say(why);
	say("\n");
	_Exit(99);
}

//@race
/* The error is that two accesses go to the same place: the first one, which is this step of a thread, and the last one. */
static uintptr_t first, last;
//@
/* The next thread of the list may go on. */
static void next(void)
{
	if (++now == sizeof order / sizeof *order) {
//@race
		if (first / 8 != last / 8)
			lost("the two accesses go to different places");
//@
		say(error);
		say("\n");
		abort();
	}
	left = order[now].steps;
	struct thread *t = &threads[order[now].thread];
	__atomic_store_n(&t->go, 1, __ATOMIC_SEQ_CST);
	REAL(syscall)(SYS_futex, &t->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void wait_for_turn(void)
{
	while (!__atomic_load_n(&me->go, __ATOMIC_SEQ_CST))
		REAL(syscall)(SYS_futex, &me->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
	me->go = 0;
}

/* A step of the thread that runs: before it another one may have its turn. */
static void step(void)
{
	if (!me)
		return;
	me->steps++;
	if (--left == 0) {
		int saved = errno;
		next();
		wait_for_turn();
		errno = saved;
	}
}

//@race
static void accesses(const volatile void *at)
{
	if (me == &threads[@THREAD@] && me->steps == @STEP@ - 1)
		first = (uintptr_t)at;
	last = (uintptr_t)at;
	step();
}
//@accesses
static void accesses(const volatile void *at) { (void)at; step(); }
//@
/* A thread ends behind the destructors of its other keys. */
static void ends(void *round)
{
	if ((long)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(last_words, (char *)round + 1);
		return;
	}
	step();
	if (--alive == 0)
		return; /* now the C library ends the program */
	me = 0;
	if (--left)
		lost("a thread ends too early");
	next();
}

/* The last constructor: main comes next. */
__attribute__((constructor)) static void begins(void)
{
	pthread_key_create(&last_words, ends);
	left = order[0].steps;
	alarm(10);
	me = &threads[0];
}

/* The last destructor. With several threads, `exit` is a step, too, which `main` takes when it returns. */
static int exits;
__attribute__((destructor(101))) static void program_ends(void)
{
	if (created > 1 && !exits)
		step();
	step();
@EXIT@}

@HOOKS@
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
//@__tsan_read_range
void __tsan_read_range(void *at, long size) { (void)at, (void)size; step(); }
//@__tsan_write_range
void __tsan_write_range(void *at, long size) { (void)at, (void)size; step(); }
//@__tsan_atomic_thread_fence __tsan_atomic_signal_fence
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }
//@atomics
/* Atomic operations. One thread runs at a time. */
#define steps_at(at) @LOOKS@step()
#define UPDATE(n, type, name, new) \
	type __tsan_atomic##n##_##name(volatile type *at, type v, int o) { (void)o; accesses(at); type was = *at; *at = new; return was; }
#define ATOMIC(n, type) \
	type __tsan_atomic##n##_load(const volatile type *at, int o) { (void)o; accesses(at); return *at; } \
	void __tsan_atomic##n##_store(volatile type *at, type v, int o) { (void)o; accesses(at); *at = v; } \
	UPDATE(n, type, exchange, v) UPDATE(n, type, fetch_add, was + v) UPDATE(n, type, fetch_sub, was - v) \
	UPDATE(n, type, fetch_and, was & v) UPDATE(n, type, fetch_or, was | v) UPDATE(n, type, fetch_xor, was ^ v) \
	UPDATE(n, type, fetch_nand, ~(was & v)) \
	int __tsan_atomic##n##_compare_exchange_strong(volatile type *at, type *expected, type v, int o, int p) { \
		(void)o, (void)p; accesses(at); \
		type was = *at; if (was == *expected) return *at = v, 1; \
		return *expected = was, 0; } \
	int __tsan_atomic##n##_compare_exchange_weak(volatile type *at, type *expected, type v, int o, int p) { \
		return __tsan_atomic##n##_compare_exchange_strong(at, expected, v, o, p); } \
	type __tsan_atomic##n##_compare_exchange_val(volatile type *at, type expected, type v, int o, int p) { \
		__tsan_atomic##n##_compare_exchange_strong(at, &expected, v, o, p); return expected; }
@ATOMICS@
//@given
static long long from_outside(void)
{
	static unsigned at;
	if (at == sizeof given / sizeof *given)
		lost("more comes from outside than before");
	return given[at++];
}
//@ours
/* Whether the program itself calls, and not a library. */
extern char __executable_start, etext;
#define OURS ((char *)__builtin_return_address(0) >= &__executable_start && (char *)__builtin_return_address(0) < &etext)
//@
/* Threads. */
//@pthread_create thrd_create
static void *run(void *t)
{
	me = t;
	wait_for_turn();
	pthread_setspecific(last_words, (void *)1);
	return me->run(me->arg);
}
int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *arg)
{
	if (!me)
		return REAL(pthread_create)(handle, attributes, function, arg);
	step();
	struct thread *t = &threads[created++];
	alive++;
	t->run = function, t->arg = arg;
	return REAL(pthread_create)(handle, attributes, run, t);
}
//@pthread_join thrd_join
int pthread_join(pthread_t thread, void **result) { step(); return REAL(pthread_join)(thread, result); }
//@pthread_exit thrd_exit
_Noreturn void pthread_exit(void *result)
{
	if (me == &threads[0])
		pthread_setspecific(last_words, (void *)1);
	REAL(pthread_exit)(result);
	__builtin_unreachable();
}
//@_exit
_Noreturn void _exit(int status) { exits = 1, program_ends(); REAL(_Exit)(status); __builtin_unreachable(); }
//@exit
_Noreturn void exit(int status)
{
	if (me && created > 1)
		step(), exits = 1;
	REAL(exit)(status);
	__builtin_unreachable();
}
//@atexit __cxa_atexit
int __cxa_atexit(void (*function)(void *), void *arg, void *library)
{
	if (me && created > 1)
		step();
	return REAL(__cxa_atexit)(function, arg, library);
}
//@sched_yield
int sched_yield(void) { step(); return 0; }
//@pthread_mutex_init mtx_init
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) { step(); return REAL(pthread_mutex_init)(m, a); }
//@pthread_mutex_destroy mtx_destroy
int pthread_mutex_destroy(pthread_mutex_t *m) { step(); return REAL(pthread_mutex_destroy)(m); }
//@pthread_mutex_lock mtx_lock
int pthread_mutex_lock(pthread_mutex_t *m) { step(); return REAL(pthread_mutex_lock)(m); }
//@pthread_mutex_trylock mtx_trylock
int pthread_mutex_trylock(pthread_mutex_t *m) { step(); return REAL(pthread_mutex_trylock)(m); }
//@pthread_mutex_timedlock mtx_timedlock pthread_cond_timedwait cnd_timedwait sem_timedwait nanosleep thrd_sleep clock_nanosleep
static int invalid(const struct timespec *t) { return (unsigned long)t->tv_nsec >= 1000000000; }
//@pthread_mutex_timedlock mtx_timedlock
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t)
{
	step();
	int failed = REAL(pthread_mutex_trylock)(m);
	return failed != EBUSY ? failed : invalid(t) ? EINVAL : ETIMEDOUT;
}
//@pthread_mutex_unlock mtx_unlock
int pthread_mutex_unlock(pthread_mutex_t *m) { step(); return REAL(pthread_mutex_unlock)(m); }
//@pthread_spin_init
int pthread_spin_init(pthread_spinlock_t *s, int shared) { step(); return REAL(pthread_spin_init)(s, shared); }
//@pthread_spin_lock
int pthread_spin_lock(pthread_spinlock_t *s) { step(); return REAL(pthread_spin_lock)(s); }
//@pthread_spin_trylock
int pthread_spin_trylock(pthread_spinlock_t *s) { step(); return REAL(pthread_spin_trylock)(s); }
//@pthread_spin_unlock
int pthread_spin_unlock(pthread_spinlock_t *s) { step(); return REAL(pthread_spin_unlock)(s); }
//@pthread_cond_wait pthread_cond_timedwait cnd_wait cnd_timedwait
/* Who waits for a condition unlocks the mutex, and locks it again when it has its turn. */
static int waits(pthread_mutex_t *m)
{
	step();
	int failed = REAL(pthread_mutex_unlock)(m);
	if (!failed)
		step();
	return failed;
}
//@pthread_cond_wait cnd_wait
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { (void)c; int failed = waits(m); return failed ? failed : REAL(pthread_mutex_lock)(m); }
//@pthread_cond_timedwait cnd_timedwait
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
	(void)c;
	int failed = invalid(t) ? EINVAL : waits(m);
	if (failed)
		return failed;
	int late = (int)from_outside();
	step();
	REAL(pthread_mutex_lock)(m);
	return late;
}
//@pthread_cond_init cnd_init
int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { step(); return REAL(pthread_cond_init)(c, a); }
//@pthread_cond_signal cnd_signal
int pthread_cond_signal(pthread_cond_t *c) { (void)c; step(); return 0; }
//@pthread_cond_broadcast cnd_broadcast
int pthread_cond_broadcast(pthread_cond_t *c) { (void)c; step(); return 0; }
//@sem_init
int sem_init(sem_t *s, int shared, unsigned value) { step(); return REAL(sem_init)(s, shared, value); }
//@sem_wait
int sem_wait(sem_t *s) { step(); return REAL(sem_wait)(s); }
//@sem_trywait
int sem_trywait(sem_t *s) { step(); return REAL(sem_trywait)(s); }
//@sem_timedwait
int sem_timedwait(sem_t *s, const struct timespec *t)
{
	if (!invalid(t)) {
		step();
		if (REAL(sem_trywait)(s) == 0)
			return 0;
	}
	errno = invalid(t) ? EINVAL : ETIMEDOUT;
	return -1;
}
//@sem_post
int sem_post(sem_t *s) { step(); return REAL(sem_post)(s); }
//@sem_getvalue
int sem_getvalue(sem_t *s, int *value) { step(); return REAL(sem_getvalue)(s, value); }
//@pthread_rwlock_init
int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) { step(); return REAL(pthread_rwlock_init)(l, a); }
//@pthread_rwlock_rdlock
int pthread_rwlock_rdlock(pthread_rwlock_t *l) { step(); return REAL(pthread_rwlock_rdlock)(l); }
//@pthread_rwlock_wrlock
int pthread_rwlock_wrlock(pthread_rwlock_t *l) { step(); return REAL(pthread_rwlock_wrlock)(l); }
//@pthread_rwlock_tryrdlock
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { step(); return REAL(pthread_rwlock_tryrdlock)(l); }
//@pthread_rwlock_trywrlock
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { step(); return REAL(pthread_rwlock_trywrlock)(l); }
//@pthread_rwlock_unlock
int pthread_rwlock_unlock(pthread_rwlock_t *l) { step(); return REAL(pthread_rwlock_unlock)(l); }
//@pthread_barrier_init pthread_barrier_wait
/* A barrier is two numbers here: for how many it is, and how many have come. */
int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count)
{
	(void)a;
	if (!count)
		return EINVAL;
	step();
	((unsigned *)b)[0] = count, ((unsigned *)b)[1] = 0;
	return 0;
}
int pthread_barrier_wait(pthread_barrier_t *b)
{
	step();
	if (++((unsigned *)b)[1] == ((unsigned *)b)[0]) {
		((unsigned *)b)[1] = 0;
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	step();
	return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *b) { (void)b; return 0; }
//@pthread_once call_once
int pthread_once(pthread_once_t *once, void (*function)(void))
{
	if (!me || !OURS) /* the library that ends threads does things once, too */
		return REAL(pthread_once)(once, function);
	step();
	if (*once == 2)
		return 0;
	function();
	step();
	*once = 2;
	return 0;
}
//@c11
/* Threads of C11. */
#include <threads.h>
static int c11(int error) { return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error; }
//@thrd_create
static struct { thrd_start_t run; void *arg; } starts[256];
static void *c11_run(void *n) { return (void *)(long)starts[(long)n].run(starts[(long)n].arg); }
int thrd_create(thrd_t *t, thrd_start_t function, void *arg)
{
	static long n;
	starts[n].run = function, starts[n].arg = arg;
	return c11(pthread_create(t, 0, c11_run, (void *)n++));
}
//@thrd_join
int thrd_join(thrd_t t, int *result)
{
	void *got = 0;
	int failed = pthread_join(t, &got);
	if (result)
		*result = (int)(long)got;
	return c11(failed);
}
//@thrd_exit
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(long)result); }
//@thrd_yield
void thrd_yield(void) { step(); }
//@mtx_init
int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	return c11(pthread_mutex_init((pthread_mutex_t *)m, &a));
}
//@mtx_destroy
void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
//@mtx_lock
int mtx_lock(mtx_t *m) { return c11(pthread_mutex_lock((pthread_mutex_t *)m)); }
//@mtx_trylock
int mtx_trylock(mtx_t *m) { return c11(pthread_mutex_trylock((pthread_mutex_t *)m)); }
//@mtx_timedlock
int mtx_timedlock(mtx_t *m, const struct timespec *t) { return c11(pthread_mutex_timedlock((pthread_mutex_t *)m, t)); }
//@mtx_unlock
int mtx_unlock(mtx_t *m) { return c11(pthread_mutex_unlock((pthread_mutex_t *)m)); }
//@cnd_init
int cnd_init(cnd_t *c) { return c11(pthread_cond_init((pthread_cond_t *)c, 0)); }
//@cnd_wait
int cnd_wait(cnd_t *c, mtx_t *m) { return c11(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m)); }
//@cnd_timedwait
int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *t) { return c11(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, t)); }
//@cnd_signal
int cnd_signal(cnd_t *c) { return c11(pthread_cond_signal((pthread_cond_t *)c)); }
//@cnd_broadcast
int cnd_broadcast(cnd_t *c) { return c11(pthread_cond_broadcast((pthread_cond_t *)c)); }
//@call_once
void call_once(once_flag *once, void (*function)(void)) { pthread_once((pthread_once_t *)once, function); }
//@syscall
/* Waiting for a word of memory: the system call. */
#include <stdarg.h>
long syscall(long number, ...)
{
	long a[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!me || number != SYS_futex)
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	step();
	if ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAKE || (a[1] & FUTEX_CMD_MASK) == FUTEX_WAKE_BITSET)
		return from_outside();
	if (*(volatile unsigned *)a[0] != (unsigned)a[2]) {
		errno = EAGAIN;
		return -1;
	}
	step();
	if (from_outside())
		return 0;
	errno = ETIMEDOUT;
	return -1;
}
//@usleep
int usleep(useconds_t t) { (void)t; step(); return 0; }
//@sleep
unsigned sleep(unsigned t) { (void)t; step(); return 0; }
//@nanosleep
int nanosleep(const struct timespec *t, struct timespec *rest) 
{
	(void)rest;
	if (!invalid(t) && t->tv_sec >= 0)
		return step(), 0;
	errno = EINVAL;
	return -1;
}
//@thrd_sleep
int thrd_sleep(const struct timespec *t, struct timespec *rest)
{
	(void)rest;
	if (invalid(t) || t->tv_sec < 0)
		return -2;
	return step(), 0;
}
//@clock_nanosleep
int clock_nanosleep(clockid_t c, int flags, const struct timespec *t, struct timespec *rest)
{
	(void)c, (void)rest;
	if (invalid(t) || t->tv_sec < 0)
		return EINVAL;
	if (flags & TIMER_ABSTIME)
		from_outside();
	step();
	return 0;
}
//@clock_gettime
int clock_gettime(clockid_t c, struct timespec *t)
{
	(void)c;
	long long nanoseconds = from_outside();
	t->tv_sec = nanoseconds / 1000000000, t->tv_nsec = nanoseconds % 1000000000;
	return 0;
}
//@gettimeofday
#include <sys/time.h>
int gettimeofday(struct timeval *t, void *zone)
{
	(void)zone;
	long long nanoseconds = from_outside();
	t->tv_sec = nanoseconds / 1000000000, t->tv_usec = nanoseconds % 1000000000 / 1000;
	return 0;
}
//@time
time_t time(time_t *t)
{
	time_t seconds = from_outside() / 1000000000;
	if (t)
		*t = seconds;
	return seconds;
}
//@clock
clock_t clock(void) { return from_outside() / 1000 % 1000000000; }
//@rand
int rand(void) { return (int)from_outside(); }
//@random
long random(void) { return (long)from_outside(); }
//@malloc
extern void *__libc_malloc(size_t);
void *malloc(size_t size)
{
	if (OURS)
		step();
	return __libc_malloc(size);
}
//@calloc
extern void *__libc_calloc(size_t, size_t);
void *calloc(size_t count, size_t size)
{
	size_t all;
	if (OURS && !__builtin_mul_overflow(count, size, &all))
		step();
	return __libc_calloc(count, size);
}
//@free
extern void __libc_free(void *);
void free(void *at)
{
	if (at && OURS)
		step();
	__libc_free(at);
}
//@realloc
extern void *__libc_realloc(void *, size_t);
void *realloc(void *at, size_t size)
{
	if (OURS)
		step();
	return __libc_realloc(at, size);
}
//@memcpy memmove
void *memmove(void *to, const void *from, size_t n)
{
	volatile char *t = to;
	const char *f = from;
	if (n && OURS)
		step(), step();
	if (t < (volatile char *)f)
		for (size_t i = 0; i < n; i++)
			t[i] = f[i];
	else
		while (n--)
			t[n] = f[n];
	return to;
}
//@memcpy
void *memcpy(void *to, const void *from, size_t n)
{
	if (n && OURS)
		step(), step();
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}
//@memset
void *memset(void *to, int byte, size_t n)
{
	if (n && OURS)
		step();
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = (char)byte;
	return to;
}
//@strlen strnlen
static size_t length(const char *s, size_t most)
{
	size_t n = 0;
	while (n < most && ((volatile const char *)s)[n])
		n++;
	return n;
}
//@strlen
size_t strlen(const char *s) { if (OURS) step(); return length(s, (size_t)-1); }
//@strnlen
size_t strnlen(const char *s, size_t n) { if (OURS) step(); return length(s, n); }
//@strcmp strncmp memcmp
static int compared(const unsigned char *a, const unsigned char *b, size_t n, int ends)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
		else if (ends && !a[i])
			return 0;
	return 0;
}
//@strcmp
int strcmp(const char *a, const char *b) { if (OURS) step(), step(); return compared((void *)a, (void *)b, (size_t)-1, 1); }
//@strncmp
int strncmp(const char *a, const char *b, size_t n) { if (OURS) step(), step(); return compared((void *)a, (void *)b, n, 1); }
//@memcmp
int memcmp(const void *a, const void *b, size_t n) { if (n && OURS) step(), step(); return compared(a, b, n, 0); }
//@strcpy
char *strcpy(char *to, const char *from)
{
	if (OURS)
		step(), step();
	for (size_t i = 0;; i++)
		if (!(((volatile char *)to)[i] = from[i]))
			return to;
}
//@reach_error
void reach_error(void) { say("reach_error is called\n"); abort(); }
//@__VERIFIER_error
void __VERIFIER_error(void) { say("__VERIFIER_error is called\n"); abort(); }
//@__VERIFIER_assert
void __VERIFIER_assert(int holds) { if (!holds) say("__VERIFIER_assert fails\n"), abort(); }
//@__VERIFIER_assume
void __VERIFIER_assume(int holds) { if (!holds) step(), lost("an assumption does not hold"); }
//@assume_abort_if_not
void assume_abort_if_not(int holds) { if (!holds) step(), lost("an assumption does not hold"); }
//@__VERIFIER_atomic_begin
void __VERIFIER_atomic_begin(void) { step(); }
//@__VERIFIER_atomic_end
void __VERIFIER_atomic_end(void) { step(); }
//@inputs
@INPUTS@
//@natural memalign aligned_alloc valloc posix_memalign malloc_usable_size
//@natural pthread_detach thrd_detach pthread_spin_destroy sem_destroy pthread_cond_destroy cnd_destroy pthread_rwlock_destroy
//@natural pthread_barrier_destroy srand srandom getpid gettid __libc_start_main __assert_fail quick_exit
