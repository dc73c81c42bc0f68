/* What threads share: mutexes, conditions, semaphores, barriers, spin locks, read-write locks, what is done once.

   No program includes this file. Each call of one of these functions is replaced by its body, also in a program that was
   preprocessed with other headers. A pointer may lead to several objects, so what touches an object names it first:

     step(object, action)              is one step
     await(object, condition, action)  waits until the condition holds, and acts in the same step
     wait(object, condition, action, undo, last)
                                       does the same, but a thread that is cancelled undoes, does what is last, and ends
     at(object, action)                acts as part of the step that is under way, or without any
     made(object, action)              is one step in which an object begins
     destroyed(object, idle, text)     is one step in which an object ends; misuse unless it is idle
     call(object, function)            calls a function; if it does not return, the object is cleared
     check(condition, text)            is misuse if the condition does not hold
     failed(condition, number)         sets `errno` if the condition holds
     clear(object), self(), any()      zero; the running thread; true or false
     kinds(), watched(), spurious()    whether a mutex of the program has a kind; whether misuse is looked for; how often a
                                       condition wakes by itself
     times(), valid(time)              whether times are looked at; whether the nanoseconds of a time are those of a second
     passes()                          says that a thread gets past this place without a wait
     cancellation()                    ends a thread that was cancelled

   The caller evaluates an argument for a parameter without a name, and nobody looks at it. */
enum { EPERM = 1, EAGAIN = 11, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ENOTSUP = 95, ETIMEDOUT = 110, SEM_VALUE_MAX = 2147483647 };
enum { PTHREAD_MUTEX_NORMAL = 0, PTHREAD_MUTEX_RECURSIVE = 1, PTHREAD_MUTEX_ADAPTIVE = 3, PTHREAD_BARRIER_SERIAL_THREAD = -1, PTHREAD_STACK_MIN = 16384, PAGE = 4096 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_timedout = 4 };
typedef unsigned long pthread_t, size_t;
typedef int clockid_t;
struct timespec;
struct sched_param;
typedef struct pthread_attr_t { unsigned char detached, inherit, policy, priority; unsigned long stack, guard; } pthread_attr_t;
typedef struct pthread_spinlock_t { enum { unlocked, locked } held; } pthread_spinlock_t;
/* In a program in which no mutex has a kind, a mutex is made as a spin lock is, and `depth` is all that there is of it. */
typedef struct pthread_mutex_t { unsigned short depth; pthread_t owner; unsigned char kind; } pthread_mutex_t, mtx_t;
typedef struct pthread_mutexattr_t { unsigned char kind, shared; } pthread_mutexattr_t;
/* Threads that no signal has reached, signals that no thread has taken, wake-ups without a signal */
typedef struct pthread_cond_t { unsigned short waiting, woken, spurious; } pthread_cond_t, cnd_t;
typedef struct pthread_condattr_t { unsigned char clock, shared; } pthread_condattr_t;
typedef struct pthread_rwlock_t { unsigned short readers; _Bool writer; } pthread_rwlock_t;
typedef struct pthread_rwlockattr_t { unsigned char shared, kind; } pthread_rwlockattr_t;
/* Threads that it is for, that have come, and how often all had */
typedef struct pthread_barrier_t { unsigned short needed, arrived, round; } pthread_barrier_t;
typedef struct pthread_barrierattr_t { unsigned char shared; } pthread_barrierattr_t;
typedef struct pthread_once_t { unsigned char state; } pthread_once_t;
typedef struct sem_t { unsigned value; } sem_t;

/* Spin locks */
int pthread_spin_init(pthread_spinlock_t *l, int) { made(l, l->held = 0); return 0; }
int pthread_spin_destroy(pthread_spinlock_t *l) {
  if (watched()) destroyed(l, !l->held, "this `pthread_spinlock_t` is destroyed while it is locked");
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t *l) { await(l, !l->held, l->held = 1); return 0; }
int pthread_spin_trylock(pthread_spinlock_t *l) {
  _Bool held = 0;
  step(l, ({ held = l->held; if (!held) l->held = 1; }));
  return held ? EBUSY : 0;
}
int pthread_spin_unlock(pthread_spinlock_t *l) {
  step(l, (check(l->held, "a `pthread_spinlock_t` is unlocked that no thread holds"), l->held = 0));
  return 0;
}

/* Semaphores */
int sem_init(sem_t *s, int, unsigned count) {
  if (count <= SEM_VALUE_MAX) made(s, s->value = count);
  failed(!(count <= SEM_VALUE_MAX), EINVAL);
  return count <= SEM_VALUE_MAX ? 0 : -1;
}
int sem_destroy(sem_t *s) { if (watched()) destroyed(s, 1, ""); return 0; }
int sem_wait(sem_t *s) { wait(s, s->value, s->value--); return 0; }
int sem_post(sem_t *s) { step(s, s->value++); return 0; }
int sem_getvalue(sem_t *s, int *into) {
  unsigned value = 0;
  step(s, value = s->value);
  *into = value;
  return 0;
}
static int take_semaphore(sem_t *s, int why) {
  _Bool none = 0;
  step(s, ({ none = !s->value; if (!none) s->value--; }));
  failed(none, why);
  return none ? -1 : 0;
}
int sem_trywait(sem_t *s) { return take_semaphore(s, EAGAIN); }
/* As in glibc: semaphores, read-write locks and conditions look at the time first, mutexes only if they are held. */
static int take_in_time(sem_t *s, const struct timespec *t) {
  if (!times()) {
    cancellation();
    return take_semaphore(s, ETIMEDOUT);
  }
  _Bool good = 0, refused = 1;
  good = valid(t);
  failed(!good, EINVAL);
  if (good) {
    cancellation();
    refused = take_semaphore(s, ETIMEDOUT);
  }
  return refused ? -1 : 0;
}
int sem_timedwait(sem_t *s, const struct timespec *t) { return take_in_time(s, t); }
int sem_clockwait(sem_t *s, clockid_t, const struct timespec *t) { return take_in_time(s, t); }

/* Read-write locks; writers are not preferred */
int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *) { made(l, clear(l)); return 0; }
int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  if (watched()) destroyed(l, !l->readers && !l->writer, "this `pthread_rwlock_t` is destroyed while it is locked");
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t *l) { await(l, !l->writer, l->readers++); return 0; }
int pthread_rwlock_wrlock(pthread_rwlock_t *l) { await(l, !l->writer && !l->readers, l->writer = 1); return 0; }
static int enter(pthread_rwlock_t *l, _Bool write, int why) {
  _Bool entered = 0;
  step(l, ({
    entered = write ? !l->writer && !l->readers : !l->writer;
    if (entered) {
      if (write) l->writer = 1;
      else l->readers++;
    }
  }));
  return entered ? 0 : why;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return enter(l, 0, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { return enter(l, 1, EBUSY); }
static int enter_in_time(pthread_rwlock_t *l, _Bool write, const struct timespec *t) {
  if (!times()) return enter(l, write, ETIMEDOUT);
  int why = EINVAL;
  if (valid(t)) why = enter(l, write, ETIMEDOUT);
  return why;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *t) { return enter_in_time(l, 0, t); }
int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *t) { return enter_in_time(l, 1, t); }
int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  step(l, ({
    check(l->readers || l->writer, "a `pthread_rwlock_t` is unlocked that no thread holds");
    _Bool writing = l->writer;
    if (writing) l->writer = 0;
    else if (l->readers) l->readers--;
  }));
  return 0;
}

/* Barriers: the last thread that comes lets all others go, and is told so */
int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *, unsigned count) {
  if (count) made(b, (clear(b), b->needed = count));
  return count ? 0 : EINVAL;
}
int pthread_barrier_destroy(pthread_barrier_t *b) {
  if (watched()) destroyed(b, !b->arrived, "this `pthread_barrier_t` is destroyed while a thread waits for it");
  return 0;
}
int pthread_barrier_wait(pthread_barrier_t *b) {
  _Bool last = 0;
  unsigned short round = 0;
  step(b, ({
    round = b->round;
    b->arrived++;
    last = b->arrived == b->needed;
    if (last) {
      b->arrived = 0;
      b->round++;
    }
  }));
  if (last) passes();
  else await(b, b->round != round, 0);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* Whoever comes first calls the function; others wait until it is done. If the thread ends meanwhile, another one calls it. */
int pthread_once(pthread_once_t *o, void (*function)(void)) {
  _Bool mine = 0;
  await(o, o->state != 1, ({ mine = !o->state; if (mine) o->state = 1; }));
  if (mine) {
    call(o, function);
    step(o, o->state = 2);
  }
  return 0;
}

/* Mutexes */
static void begin_mutex(pthread_mutex_t *m, unsigned char kind) {
  made(m, ({ clear(m); if (kinds()) m->kind = kind; }));
}
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  unsigned char kind = 0;
  if (a && kinds()) {
    at(a, kind = a->kind);
    begin_mutex(m, kind);
  } else
    begin_mutex(m, PTHREAD_MUTEX_NORMAL);
  return 0;
}
int mtx_init(mtx_t *m, int kind) { begin_mutex(m, kind & PTHREAD_MUTEX_RECURSIVE); return thrd_success; }
int pthread_mutex_destroy(pthread_mutex_t *m) {
  _Bool held = 0;
  if (watched()) destroyed(m, !m->depth, "this `pthread_mutex_t` is destroyed while it is locked");
  else step(m, held = m->depth);
  return held ? EBUSY : 0;
}
/* Gives whether the mutex refused, as its kind may. */
static _Bool lock_mutex(pthread_mutex_t *m) {
  if (!kinds()) {
    await(m, !m->depth, m->depth = 1);
    return 0;
  }
  _Bool refused = 0;
  if (watched()) at(m, check(m->kind || !(m->depth && m->owner == self()), "a mutex is locked by the thread that holds it"));
  await(m, !m->depth || m->owner == self() && m->kind, ({
    refused = !(!m->depth || m->kind == PTHREAD_MUTEX_RECURSIVE);
    if (!refused) {
      m->depth++;
      m->owner = self();
    }
  }));
  return refused;
}
int pthread_mutex_lock(pthread_mutex_t *m) { return lock_mutex(m) ? EDEADLK : 0; }
/* Gives `why` if the mutex is held, but `own` if it checks errors and this thread holds it. */
static int try_mutex(pthread_mutex_t *m, int why, int own) {
  _Bool held = 0, refused = 0;
  step(m, ({
    held = kinds() ? !(!m->depth || m->owner == self() && m->kind && m->kind == PTHREAD_MUTEX_RECURSIVE) : m->depth;
    if (kinds()) refused = held && m->owner == self() && m->kind;
    if (!held) {
      if (kinds()) {
        m->depth++;
        m->owner = self();
      } else
        m->depth = 1;
    }
  }));
  return refused ? own : held ? why : 0;
}
int pthread_mutex_trylock(pthread_mutex_t *m) { return try_mutex(m, EBUSY, EBUSY); }
int mtx_trylock(mtx_t *m) { return try_mutex(m, thrd_busy, thrd_busy); }
/* It is late if the mutex is held when the thread has a turn. */
static int lock_in_time(pthread_mutex_t *m, const struct timespec *t) {
  if (!times()) return try_mutex(m, ETIMEDOUT, EDEADLK);
  return try_mutex(m, valid(t) ? ETIMEDOUT : EINVAL, EDEADLK);
}
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t) { return lock_in_time(m, t); }
int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t, const struct timespec *t) { return lock_in_time(m, t); }
int mtx_timedlock(mtx_t *m, const struct timespec *t) {
  if (!times()) return try_mutex(m, thrd_timedout, thrd_timedout);
  return try_mutex(m, valid(t) ? thrd_timedout : thrd_error, thrd_timedout);
}
/* Part of a step. A mutex of a kind is only unlocked by the thread that holds it, a normal one by anybody. */
static _Bool unlock_mutex(pthread_mutex_t *m) {
  if (!kinds()) {
    m->depth = 0;
    return 0;
  }
  check(m->kind || m->depth && m->owner == self(), "a mutex is unlocked by a thread that does not hold it");
  _Bool refused = !(!m->kind || m->depth && m->owner == self());
  if (!refused) {
    m->depth = m->kind == PTHREAD_MUTEX_RECURSIVE ? m->depth - 1 : 0;
    if (!m->depth) m->owner = 0;
  }
  return refused;
}
int pthread_mutex_unlock(pthread_mutex_t *m) {
  if (!kinds()) {
    step(m, unlock_mutex(m));
    return 0;
  }
  _Bool refused = 0;
  step(m, refused = unlock_mutex(m));
  return refused ? EPERM : 0;
}
/* Whether a number of the program is one of the first ones, of which none is negative. */
static _Bool is_below(int n, int end) { return !(n < 0) && n < end; }
int pthread_mutexattr_init(pthread_mutexattr_t *a) { at(a, clear(a)); return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { at(a, clear(a)); return 0; }
/* One that adapts is a normal one. */
int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind) {
  if (is_below(kind, PTHREAD_MUTEX_ADAPTIVE)) at(a, a->kind = kind);
  if (kind == PTHREAD_MUTEX_ADAPTIVE) at(a, a->kind = PTHREAD_MUTEX_NORMAL);
  return is_below(kind, 4) ? 0 : EINVAL;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *into) {
  unsigned char kind = 0;
  at(a, kind = a->kind);
  *into = kind;
  return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared) {
  if (is_below(shared, 2)) at(a, a->shared = shared);
  return is_below(shared, 2) ? 0 : EINVAL;
}
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *a, int *into) {
  unsigned char shared = 0;
  at(a, shared = a->shared);
  *into = shared;
  return 0;
}

/* Conditions */
int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *) { made(c, clear(c)); return 0; }
int cnd_init(cnd_t *c) { made(c, clear(c)); return thrd_success; }
int pthread_cond_destroy(pthread_cond_t *c) {
  if (watched()) destroyed(c, !c->waiting, "this `pthread_cond_t` is destroyed while a thread waits for it");
  return 0;
}
/* Gives up the mutex and waits in one step, is woken, and takes the mutex again. It is settled before whether this time the
   thread may wake without a signal, so that one that nobody wakes is seen to wait for ever. A thread that waits until some time
   is not blocked: it goes on as soon as it has a turn, signalled or late. Gives whether it was woken, with or without a signal. */
static _Bool wait_for_signal(pthread_cond_t *c, pthread_mutex_t *m, _Bool timed) {
  _Bool woken = 0, may = 0, early;
  if (spurious()) early = any();
  /* A thread that comes after a signal must not take it. */
  await(c, !c->woken, ({
    if (spurious()) {
      early = early && c->spurious < spurious();
      if (early) c->spurious++;
    }
    may = spurious() && early || timed;
    c->waiting++;
    at(m, unlock_mutex(m));
  }));
  /* Of a thread that is cancelled it is not known whose wake-up it was. */
  wait(c, c->woken || may, ({
    if (c->woken) {
      c->woken--;
      woken = 1;
    } else {
      c->waiting--;
      if (spurious()) woken = early;
    }
  }), ({
    if (!c->waiting) c->woken--;
    else c->waiting--;
  }), lock_mutex(m));
  lock_mutex(m);
  return woken;
}
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { wait_for_signal(c, m, 0); return 0; }
static int wait_in_time(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t, int late, int wrong) {
  if (!times()) return wait_for_signal(c, m, 1) ? 0 : late;
  int why = wrong;
  if (valid(t)) why = wait_for_signal(c, m, 1) ? 0 : late;
  else passes();
  return why;
}
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
  return wait_in_time(c, m, t, ETIMEDOUT, EINVAL);
}
int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t, const struct timespec *t) {
  return wait_in_time(c, m, t, ETIMEDOUT, EINVAL);
}
int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *t) { return wait_in_time(c, m, t, thrd_timedout, thrd_error); }
int pthread_cond_signal(pthread_cond_t *c) {
  step(c, ({
    if (c->waiting) {
      c->waiting--;
      c->woken++;
    }
  }));
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *c) {
  step(c, ({
    if (c->waiting) {
      c->woken = c->waiting + c->woken;
      c->waiting = 0;
    }
  }));
  return 0;
}

/* What is told before objects and threads begin */
int pthread_condattr_init(pthread_condattr_t *a) { at(a, clear(a)); return 0; }
int pthread_condattr_destroy(pthread_condattr_t *) { return 0; }
/* `CLOCK_REALTIME` or `CLOCK_MONOTONIC` */
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) {
  if (is_below(clock, 2)) at(a, a->clock = clock);
  return is_below(clock, 2) ? 0 : EINVAL;
}
int pthread_condattr_getclock(const pthread_condattr_t *a, clockid_t *into) {
  unsigned char clock = 0;
  at(a, clock = a->clock);
  *into = clock;
  return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t *a, int shared) {
  if (is_below(shared, 2)) at(a, a->shared = shared);
  return is_below(shared, 2) ? 0 : EINVAL;
}
int pthread_condattr_getpshared(const pthread_condattr_t *a, int *into) {
  unsigned char shared = 0;
  at(a, shared = a->shared);
  *into = shared;
  return 0;
}
int pthread_barrierattr_init(pthread_barrierattr_t *a) { at(a, clear(a)); return 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int shared) {
  if (is_below(shared, 2)) at(a, a->shared = shared);
  return is_below(shared, 2) ? 0 : EINVAL;
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *a, int *into) {
  unsigned char shared = 0;
  at(a, shared = a->shared);
  *into = shared;
  return 0;
}
int pthread_rwlockattr_init(pthread_rwlockattr_t *a) { at(a, clear(a)); return 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared) {
  if (is_below(shared, 2)) at(a, a->shared = shared);
  return is_below(shared, 2) ? 0 : EINVAL;
}
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a, int *into) {
  unsigned char shared = 0;
  at(a, shared = a->shared);
  *into = shared;
  return 0;
}
int __set_rwlock_kind(pthread_rwlockattr_t *a, int kind) { at(a, a->kind = kind); return 0; }
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a, int *into) {
  unsigned char kind = 0;
  at(a, kind = a->kind);
  *into = kind;
  return 0;
}
/* Behind a stack lies a page that nothing may touch. */
int pthread_attr_init(pthread_attr_t *a) { at(a, (clear(a), a->guard = PAGE)); return 0; }
int pthread_attr_destroy(pthread_attr_t *) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *a, int detached) {
  if (is_below(detached, 2)) at(a, a->detached = detached);
  return is_below(detached, 2) ? 0 : EINVAL;
}
int pthread_attr_getdetachstate(const pthread_attr_t *a, int *into) {
  unsigned char detached = 0;
  at(a, detached = a->detached);
  *into = detached;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t *a, unsigned long size) {
  if (!(size < PTHREAD_STACK_MIN)) at(a, a->stack = size);
  return size < PTHREAD_STACK_MIN ? EINVAL : 0;
}
/* Zero if the program has not set it. */
unsigned long __stack_size(const pthread_attr_t *a) {
  unsigned long size = 0;
  at(a, size = a->stack);
  return size;
}
int pthread_attr_setscope(pthread_attr_t *, int scope) { return scope == 1 ? ENOTSUP : scope ? EINVAL : 0; }
/* `SCHED_OTHER`, `SCHED_FIFO`, `SCHED_RR` */
int pthread_attr_setschedpolicy(pthread_attr_t *a, int how) {
  if (is_below(how, 3)) at(a, a->policy = how);
  return is_below(how, 3) ? 0 : EINVAL;
}
int pthread_attr_getschedpolicy(const pthread_attr_t *a, int *into) {
  unsigned char how = 0;
  at(a, how = a->policy);
  *into = how;
  return 0;
}
int pthread_attr_setinheritsched(pthread_attr_t *a, int how) {
  if (is_below(how, 2)) at(a, a->inherit = how);
  return is_below(how, 2) ? 0 : EINVAL;
}
int pthread_attr_getinheritsched(const pthread_attr_t *a, int *into) {
  unsigned char how = 0;
  at(a, how = a->inherit);
  *into = how;
  return 0;
}
int pthread_attr_setguardsize(pthread_attr_t *a, unsigned long size) { at(a, a->guard = size); return 0; }
int pthread_attr_getguardsize(const pthread_attr_t *a, unsigned long *into) {
  unsigned long size = 0;
  at(a, size = a->guard);
  *into = size;
  return 0;
}
/* A priority is 0 with `SCHED_OTHER`, and otherwise from 1 to 99. */
int __keep_priority(pthread_attr_t *a, int priority) {
  unsigned char how = 0;
  at(a, how = a->policy);
  _Bool fits = 0;
  fits = how ? is_below(priority, 100) && priority : priority == 0;
  if (fits) at(a, a->priority = priority);
  return fits ? 0 : EINVAL;
}
int __kept_priority(const pthread_attr_t *a) {
  unsigned char priority = 0;
  at(a, priority = a->priority);
  return priority;
}
int pthread_setschedparam(pthread_t, int, const struct sched_param *) { return 0; }
int pthread_setschedprio(pthread_t, int) { return 0; }
