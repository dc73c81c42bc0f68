/* C11 7.14, POSIX signal.h */
#ifndef _SIGNAL_H
#define _SIGNAL_H
#include <features.h>
#include <sys/types.h>
#include <time.h>
#include <__system.h>
typedef int sig_atomic_t;
typedef struct { unsigned long __bits[16]; } sigset_t;
typedef sigset_t __sigset_t;
typedef union sigval { int sival_int; void *sival_ptr; } sigval_t;
typedef struct { int si_signo, si_errno, si_code; pid_t si_pid; uid_t si_uid; void *si_addr; int si_status; sigval_t si_value; } siginfo_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
struct sigaction {
  union { void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); };
  sigset_t sa_mask;
  int sa_flags;
};
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SI_TKILL (-6)
#define SI_SIGIO (-5)
#define SI_ASYNCIO (-4)
#define SI_MESGQ (-3)
#define SI_TIMER (-2)
#define SI_QUEUE (-1)
#define SI_USER 0
#define SI_KERNEL 128
#define NSIG 65
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
/* Sets are what a program makes of them. */
#define __SIGNALS_IN_WORD (8 * sizeof(long))
static inline int sigemptyset(sigset_t *__set) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __set->__bits[__at] = 0;
  return 0;
}
/* Adds a signal, or takes it off. */
static inline int __has_signal(sigset_t *__set, int __n, _Bool __now) {
  if (__n < 1 || __n >= NSIG) return __fails_by(22);
  unsigned long *__word = &__set->__bits[(__n - 1) / __SIGNALS_IN_WORD], __bit = 1UL << (__n - 1) % __SIGNALS_IN_WORD;
  *__word = __now ? *__word | __bit : *__word & ~__bit;
  return 0;
}
static inline int sigaddset(sigset_t *__set, int __n) { return __has_signal(__set, __n, 1); }
static inline int sigdelset(sigset_t *__set, int __n) { return __has_signal(__set, __n, 0); }
/* All but those of the library itself. */
static inline int sigfillset(sigset_t *__set) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __set->__bits[__at] = -1UL;
  sigdelset(__set, 32);
  return sigdelset(__set, 33);
}
static inline int sigismember(const sigset_t *__set, int __n) {
  if (__n > 0 && __n < NSIG) return __set->__bits[(__n - 1) / __SIGNALS_IN_WORD] >> (__n - 1) % __SIGNALS_IN_WORD & 1;
  return __fails_by(22);
}
#ifdef _GNU_SOURCE
static inline int sigisemptyset(const sigset_t *__set) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++)
    if (__set->__bits[__at]) return 0;
  return 1;
}
static inline int sigorset(sigset_t *__to, const sigset_t *__l, const sigset_t *__r) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __to->__bits[__at] = __l->__bits[__at] | __r->__bits[__at];
  return 0;
}
static inline int sigandset(sigset_t *__to, const sigset_t *__l, const sigset_t *__r) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __to->__bits[__at] = __l->__bits[__at] & __r->__bits[__at];
  return 0;
}
#endif
/* What a program blocks. In one that cannot see it, these functions do nothing, and give `__NO_MASK`. */
#define __NO_MASK -2
/* Beside a signal that waited for the process, not for a thread. */
#define __OF_PROCESS 128
int __mask_changes(int, const sigset_t *, sigset_t *);
int __mask_keeps(int), __mask_keeps_for(pthread_t, int);
long long __mask_of_handler(int, int);
int __mask_after_handler(long long);
int __mask_of_action(int, const struct sigaction *, struct sigaction *);
int __mask_lets_come(void), __mask_discards(int);
int __mask_waits(const sigset_t *, int);
int __mask_waiting(sigset_t *);
int __mask_suspends(const sigset_t *);
/* What is done when a signal comes: none comes from outside, which a verdict says. */
void _exit(int);
pid_t getpid(void);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
__sighandler_t __actions[65];
int __flags_of_actions[65];
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static inline _Bool __is_ignored(int __n, __sighandler_t __action) {
  return __action == SIG_IGN || __action == SIG_DFL && (__n == SIGCHLD || __n == SIGCONT || __n == SIGURG || __n == SIGWINCH);
}
/* Glibc sets this flag in each action. Stores the flags of the action before. */
#define __SA_RESTORER 0x04000000
static inline __sighandler_t __set_action(int __n, __sighandler_t __action, int __flags, int *__old) {
  __VERIFIER_atomic_begin();
  __sighandler_t __before = __atomic_exchange_n(&__actions[__n], __action, 5);
  __flags = __atomic_exchange_n(&__flags_of_actions[__n], __flags | __SA_RESTORER, 5);
  _Bool __elsewhere = __is_ignored(__n, __action) && __mask_discards(__n) == 1;
  __VERIFIER_atomic_end();
  if (__elsewhere) __library_not_modelled("an action that may discard a signal that waits for another thread");
  if (__old) *__old = __flags;
  return __before;
}
/* Whether it has no action that can be set. */
static inline _Bool __is_no_signal(int __n) {
  if (__n > 0 && __n <= 64 && __n != SIGKILL && __n != SIGSTOP) return 0;
  __library_failed(22);
  return 1;
}
static inline __sighandler_t signal(int __n, __sighandler_t __action) {
  if (__is_no_signal(__n)) return SIG_ERR;
  __mask_of_action(__n, 0, 0);
  return __set_action(__n, __action, SA_RESTART, 0);
}
#ifdef _GNU_SOURCE
/* As in System V, the action is done once, and does not block its signal. */
static inline __sighandler_t sysv_signal(int __n, __sighandler_t __action) {
  struct sigaction __new = {.sa_flags = SA_RESETHAND | SA_NODEFER};
  if (__is_no_signal(__n)) return SIG_ERR;
  __mask_of_action(__n, &__new, 0);
  return __set_action(__n, __action, __new.sa_flags, 0);
}
#endif
static inline int sigaction(int __n, const struct sigaction *__new, struct sigaction *__old) {
  __sighandler_t __before = 0;
  __no_signal_comes();
  if (__n < 1 || __n > 64 || __new && (__n == SIGKILL || __n == SIGSTOP)) return __fails_by(22);
  if (__new || __old) __mask_of_action(__n, __new, __old);
  int __flags = 0;
  if (__new) {
    __before = __set_action(__n, __new->sa_handler, __new->sa_flags, &__flags);
  } else if (__old) {
    __VERIFIER_atomic_begin();
    __before = __atomic_load_n(&__actions[__n], 5);
    __flags = __atomic_load_n(&__flags_of_actions[__n], 5);
    __VERIFIER_atomic_end();
  }
  if (__old) {
    __old->sa_handler = __before;
    __old->sa_flags = __flags;
  }
  return 0;
}
/* What a handler is told. The process sends all signals itself. */
static inline void __tell(siginfo_t *__info, int __n, int __code, const sigval_t *__value) {
  __info->si_signo = __n;
  __info->si_errno = 0;
  __info->si_code = __code;
  __info->si_pid = getpid();
  /* As `getuid` gives it. */
  __info->si_uid = getpid() - 1;
  if (__value) __info->si_value = *__value;
}
static inline void __act(int __n, int __code, const sigval_t *__value) {
  __VERIFIER_atomic_begin();
  __sighandler_t __action = __atomic_load_n(&__actions[__n], 5);
  int __flags = __atomic_load_n(&__flags_of_actions[__n], 5);
  if (__flags & SA_RESETHAND && __action != SIG_IGN) __atomic_store_n(&__actions[__n], SIG_DFL, 5);
  __VERIFIER_atomic_end();
  if (__is_ignored(__n, __action)) return;
  if (__action == SIG_DFL) _exit(128 + __n);
  long long __before = __mask_of_handler(__n, __flags);
  if (__flags & SA_SIGINFO) {
    siginfo_t __info;
    char __context;
    __tell(&__info, __n, __code, __value);
    ((void (*)(int, siginfo_t *, void *))__action)(__n, &__info, &__context);
  } else __action(__n);
  __mask_after_handler(__before);
}
static inline int __raise(int __n) {
  if (__n < 0 || __n > 64) return __fails_by(22);
  if (__n == 0 || __mask_keeps_for(pthread_self(), __n) == 1) return 0;
  __act(__n, SI_TKILL, 0);
  __mask_lets_come();
  return 0;
}
static inline int raise(int __n) { return __raise(__n); }
/* A signal for the process comes to its first thread, if that does not block it. */
static inline int __send(pid_t __process, int __n, const sigval_t *__value) {
  extern pid_t gettid(void);
  if (__n < 0 || __n > 64) return __fails_by(22);
  _Bool __to_group = __process < -1 && __VERIFIER_nondet_library_bool();
  if (__process != getpid() && __process != 0 && !__to_group) return __fails_or_is_done();
  if (__n == 0) return 0;
  if (__mask_keeps(__n) == 1) {
    if (__value) __library_not_modelled("a signal with a value that is blocked");
    return 0;
  }
  if (gettid() != getpid()) {
    __sighandler_t __action = __atomic_load_n(&__actions[__n], 5);
    if (__action != SIG_DFL && __action != SIG_IGN) __library_not_modelled("a signal for another thread is not modelled");
  }
  __act(__n, __value ? SI_QUEUE : SI_USER, __value);
  __mask_lets_come();
  return 0;
}
static inline int kill(pid_t __process, int __n) { return __send(__process, __n, 0); }
static inline int killpg(pid_t __group, int __n) { return __send(__group ? -__group : 0, __n, 0); }
static inline int sigqueue(pid_t __process, int __n, const union sigval __value) {
  if (__process > 0) return __send(__process, __n, &__value);
  return __fails_by(3);
}
static inline int pthread_kill(pthread_t __who, int __n) {
  if (__n == 0) return 0;
  if (__n < 0 || __n > 64) return 22;
  if (pthread_equal(__who, pthread_self())) return __raise(__n);
  if (__mask_keeps_for(__who, __n) != 1) __library_not_modelled("a signal for another thread is not modelled");
  return 0;
}
static inline int pthread_sigmask(int __how, const sigset_t *__new, sigset_t *__old) {
  if (__new && (__how < SIG_BLOCK || __how > SIG_SETMASK)) return 22;
  if (__mask_changes(__how, __new, __old) == __NO_MASK) __library_not_modelled("a function that blocks signals is called through a pointer");
  return 0;
}
static inline int sigprocmask(int __how, const sigset_t *__new, sigset_t *__old) {
  if (__new && (__how < SIG_BLOCK || __how > SIG_SETMASK)) return __fails_by(22);
  if (__mask_changes(__how, __new, __old) == __NO_MASK) __library_not_modelled("a function that blocks signals is called through a pointer");
  return 0;
}
#if defined _GNU_SOURCE || defined _XOPEN_SOURCE
#define SIG_HOLD ((__sighandler_t)2)
static inline int __hold(int __how, int __n, sigset_t *__before) {
  sigset_t __set;
  sigemptyset(&__set);
  if (sigaddset(&__set, __n)) return -1;
  __mask_changes(__how, &__set, __before);
  return 0;
}
static inline int sighold(int __n) { return __hold(SIG_BLOCK, __n, 0); }
static inline int sigrelse(int __n) { return __hold(SIG_UNBLOCK, __n, 0); }
/* Blocks a signal, or sets its action and lets it come. */
static inline __sighandler_t sigset(int __n, __sighandler_t __action) {
  struct sigaction __new = {.sa_flags = 0};
  sigset_t __before;
  if (__is_no_signal(__n)) return SIG_ERR;
  __sighandler_t __old = __atomic_load_n(&__actions[__n], 5);
  if (__action != SIG_HOLD) {
    __mask_of_action(__n, &__new, 0);
    __old = __set_action(__n, __action, 0, 0);
  }
  __hold(__action == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, __n, &__before);
  return sigismember(&__before, __n) ? SIG_HOLD : __old;
}
#endif
static inline int sigpending(sigset_t *__set) {
  sigemptyset(__set);
  __mask_waiting(__set);
  return 0;
}
static inline int sigsuspend(const sigset_t *__set) {
  extern unsigned sleep(unsigned);
  __no_signal_comes();
  if (__mask_suspends(__set) != __NO_MASK) return -1;
  for (;;) sleep(1);
}
static inline int sigwait(const sigset_t *__set, int *__n) {
  int __came = __mask_waits(__set, 0);
  if (__came == __NO_MASK) return sigsuspend(__set);
  *__n = __came & ~__OF_PROCESS;
  return 0;
}
static inline int __tells_of_signal(int __came, siginfo_t *__info) {
  int __n = __came & ~__OF_PROCESS;
  if (__info) __tell(__info, __n, __came & __OF_PROCESS ? SI_USER : SI_TKILL, 0);
  return __n;
}
static inline int sigwaitinfo(const sigset_t *__set, siginfo_t *__info) {
  int __came = __mask_waits(__set, 0);
  return __came == __NO_MASK ? sigsuspend(__set) : __tells_of_signal(__came, __info);
}
static inline int sigtimedwait(const sigset_t *__set, siginfo_t *__info, const struct timespec *__time) {
  int __came = __mask_waits(__set, __time != 0);
  __no_signal_comes();
  if (__came > 0) return __tells_of_signal(__came, __info);
  return __fails_by(11);
}
/* The signals that a thread blocks, those that wait for it, and those that a thread other than the first may not block. */
enum { __BLOCKED, __WAITING, __OPEN };
unsigned long long __signals_of(pthread_t, int);
void __set_signals_of(pthread_t, int, unsigned long long);
/* What waits for a thread that takes it, what the first thread blocks, and what is blocked while a handler runs. */
unsigned long long __signals_waiting, __blocked_by_first, __blocked_by_actions[65];
/* How many signals wait for single threads. */
unsigned __kept_for_threads;
#define __SIGNAL(n) (1ULL << ((n) - 1))
/* The first of those that the library uses itself is blocked by all threads but the first one. */
#define __NOT_THE_FIRST __SIGNAL(32)
#define __NEVER_BLOCKED (__SIGNAL(SIGKILL) | __SIGNAL(SIGSTOP) | __SIGNAL(32) | __SIGNAL(33))
static inline unsigned long long __signals_in(const sigset_t *__set) {
  unsigned long long __all = __set->__bits[0];
  for (unsigned __at = 1; __at < 64 / __SIGNALS_IN_WORD; __at++) __all |= (unsigned long long)__set->__bits[__at] << 32;
  return __all & ~__NEVER_BLOCKED;
}
static inline void __signals_into(sigset_t *__set, unsigned long long __all) {
  __all &= ~__NEVER_BLOCKED;
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __set->__bits[__at] = __all >> __at * 32;
}
/* Part of a step. */
static inline void __block_signals(unsigned long long __set) {
  pthread_t __own = pthread_self();
  unsigned long long __mark = __signals_of(__own, __BLOCKED) & __NOT_THE_FIRST;
  __set &= ~__NEVER_BLOCKED;
  __set_signals_of(__own, __BLOCKED, __set | __mark);
  if (!__mark) __blocked_by_first = __set;
  else __set_signals_of(__own, __OPEN, __signals_of(__own, __OPEN) | ~__set);
}
/* Part of a step. */
static inline void __forget_own_signal(int __n) {
  pthread_t __self = pthread_self();
  unsigned long long __own = __signals_of(__self, __WAITING);
  if (__own & __SIGNAL(__n)) __kept_for_threads--;
  __set_signals_of(__self, __WAITING, __own & ~__SIGNAL(__n));
}
/* Takes one of some signals that waits for this thread, as Linux does: its own before those of the process, the least first. */
static inline int __take_signal(unsigned long long __set) {
  int __n = 0;
  __VERIFIER_atomic_begin();
  unsigned long long __own = __signals_of(pthread_self(), __WAITING) & __set, __all = __own ? __own : __signals_waiting & __set;
  if (__all) {
    __n = __builtin_ctzll(__all) + 1;
    if (__own) __forget_own_signal(__n);
    else {
      __signals_waiting &= ~__SIGNAL(__n);
      __n |= __OF_PROCESS;
    }
  }
  __VERIFIER_atomic_end();
  return __n;
}
static inline int __take_open_signal(void) {
  __VERIFIER_atomic_begin();
  unsigned long long __open = ~__signals_of(pthread_self(), __BLOCKED);
  __VERIFIER_atomic_end();
  return __take_signal(__open);
}
static inline void __act_on(int __came) { __act(__came & ~__OF_PROCESS, __came & __OF_PROCESS ? SI_USER : SI_TKILL, 0); }
static inline int __written___mask_lets_come(void) {
  int __n = __take_open_signal();
  while (__n) {
    int __next = __take_open_signal();
    if (__next) __library_not_modelled("several signals that come at once");
    __act_on(__n);
    __n = __take_open_signal();
  }
  return 0;
}
/* Part of a step. Gives 1 where the signal may wait for another thread. */
static inline int __written___mask_discards(int __n) {
  __signals_waiting &= ~__SIGNAL(__n);
  __forget_own_signal(__n);
  return __kept_for_threads > __builtin_popcountll(__signals_of(pthread_self(), __WAITING));
}
static inline int __written___mask_changes(int __how, const sigset_t *__new, sigset_t *__old) {
  unsigned long long __given = __new ? __signals_in(__new) : 0;
  __VERIFIER_atomic_begin();
  unsigned long long __before = __signals_of(pthread_self(), __BLOCKED);
  if (__new) __block_signals(__how == SIG_BLOCK ? __before | __given : __how == SIG_UNBLOCK ? __before & ~__given : __given);
  __VERIFIER_atomic_end();
  if (__old) __signals_into(__old, __before);
  if (__new) __mask_lets_come();
  return 0;
}
static inline int __written___mask_keeps_for(pthread_t __who, int __n) {
  __VERIFIER_atomic_begin();
  int __kept = __signals_of(__who, __BLOCKED) >> (__n - 1) & 1;
  unsigned long long __before = __signals_of(__who, __WAITING);
  if (__kept && !(__before & __SIGNAL(__n))) {
    __kept_for_threads++;
    __set_signals_of(__who, __WAITING, __before | __SIGNAL(__n));
  }
  __VERIFIER_atomic_end();
  return __kept;
}
static inline int __written___mask_keeps(int __n) {
  __VERIFIER_atomic_begin();
  _Bool __by_first = __blocked_by_first >> (__n - 1) & 1;
  _Bool __by_all = __by_first && !(__signals_of(pthread_self(), __OPEN) >> (__n - 1) & 1);
  if (__by_all) __signals_waiting |= __SIGNAL(__n);
  __VERIFIER_atomic_end();
  if (__by_first && !__by_all) __library_not_modelled("a signal that the first thread blocks, and another one perhaps not");
  return __by_all;
}
static inline int __written___mask_of_action(int __n, const struct sigaction *__new, struct sigaction *__old) {
  unsigned long long __set = __new ? __signals_in(&__new->sa_mask) : __SIGNAL(__n);
  __VERIFIER_atomic_begin();
  unsigned long long __before = __blocked_by_actions[__n];
  if (__new || !__old) __blocked_by_actions[__n] = __set;
  __VERIFIER_atomic_end();
  if (__old) __signals_into(&__old->sa_mask, __before);
  return 0;
}
static inline long long __written___mask_of_handler(int __n, int __flags) {
  __VERIFIER_atomic_begin();
  unsigned long long __before = __signals_of(pthread_self(), __BLOCKED);
  __block_signals(__before | __blocked_by_actions[__n] | (__flags & SA_NODEFER ? 0 : __SIGNAL(__n)));
  __VERIFIER_atomic_end();
  return __before;
}
static inline int __written___mask_after_handler(long long __before) {
  __VERIFIER_atomic_begin();
  __block_signals(__before);
  __VERIFIER_atomic_end();
  return 0;
}
/* A jump out of a handler leaves the mask as it is, unless it leads to a `sigsetjmp` that has kept one. */
static inline long long __written___mask_now(void) {
  __VERIFIER_atomic_begin();
  unsigned long long __now = __signals_of(pthread_self(), __BLOCKED);
  __VERIFIER_atomic_end();
  return __now;
}
static inline int __written___mask_at_jump(long long __kept) {
  __mask_after_handler(__kept);
  return __mask_lets_come();
}
/* The handler comes first, also if the signal is blocked. The program ends behind it. */
static inline void __written_abort(void) {
  __VERIFIER_atomic_begin();
  __block_signals(__signals_of(pthread_self(), __BLOCKED) & ~__SIGNAL(SIGABRT));
  __VERIFIER_atomic_end();
  __act(SIGABRT, SI_TKILL, 0);
  _exit(128 + SIGABRT);
}
static inline int __written___mask_waits(const sigset_t *__set, int __timed) {
  extern unsigned sleep(unsigned);
  unsigned long long __all = __signals_in(__set);
  __VERIFIER_atomic_begin();
  _Bool __blocks = !(__all & ~__signals_of(pthread_self(), __BLOCKED));
  __VERIFIER_atomic_end();
  if (!__blocks) __library_not_modelled("a wait for a signal that the thread does not block");
  for (;;) {
    int __n = __take_signal(__all);
    if (__n || __timed) return __n;
    sleep(1);
  }
}
static inline int __written___mask_waiting(sigset_t *__set) {
  __VERIFIER_atomic_begin();
  pthread_t __own = pthread_self();
  unsigned long long __all = (__signals_of(__own, __WAITING) | __signals_waiting) & __signals_of(__own, __BLOCKED);
  __VERIFIER_atomic_end();
  __signals_into(__set, __all);
  return 0;
}
static inline int __written___mask_suspends(const sigset_t *__set) {
  extern unsigned sleep(unsigned);
  unsigned long long __given = __signals_in(__set);
  __VERIFIER_atomic_begin();
  unsigned long long __before = __signals_of(pthread_self(), __BLOCKED);
  __block_signals(__given);
  __VERIFIER_atomic_end();
  for (_Bool __handled = 0; !__handled;) {
    int __n = __take_open_signal();
    if (__n) {
      __sighandler_t __action = __atomic_load_n(&__actions[__n & ~__OF_PROCESS], 5);
      __handled = __action != SIG_DFL && __action != SIG_IGN;
      __act_on(__n);
    } else sleep(1);
  }
  __mask_after_handler(__before);
  __mask_lets_come();
  __library_failed(4);
  return 0;
}
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
#define SIGSTKSZ 8192
#define MINSIGSTKSZ 2048
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define ILL_BADIADDR 9
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define SIGCLD 17
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGIOT 6
#define SIGSTKFLT 16
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
/* Without a size there is none. */
_Thread_local stack_t __stack_of_signals;
/* It tells what a signal from outside interrupts. */
static inline int siginterrupt(int __n, int __flag) {
  if (__n > 0 && __n < NSIG) return 0;
  return __fails_by(22);
}
static inline int sigaltstack(const stack_t *__new, stack_t *__old) {
  stack_t __before = __stack_of_signals, __given = __before;
  if (__new) __given = *__new;
  _Bool __off = __given.ss_flags & SS_DISABLE;
  if (__new && (__given.ss_flags & ~SS_DISABLE || !__off && __given.ss_size < MINSIGSTKSZ)) return __fails_by(__given.ss_flags & ~SS_DISABLE ? 22 : 12);
  if (__off) __given.ss_size = 0;
  __stack_of_signals = __given;
  if (__old) *__old = (stack_t){__before.ss_size ? __before.ss_sp : 0, __before.ss_size ? 0 : SS_DISABLE, __before.ss_size};
  return 0;
}
struct sigevent {
  int sigev_notify, sigev_signo;
  sigval_t sigev_value;
  void (*sigev_notify_function)(sigval_t);
  void *sigev_notify_attributes;
};
#endif
