/* C11 7.14, POSIX signal.h */
#ifndef _SIGNAL_H
#define _SIGNAL_H
#include <features.h>
#include <sys/types.h>
#include <time.h>
#include <__system.h>
typedef int sig_atomic_t;
typedef struct { unsigned long __bits[16]; } sigset_t;
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
/* What is done when a signal comes: none comes from outside, which a verdict says. */
void abort(void);
__sighandler_t __actions[65];
static inline __sighandler_t signal(int __n, __sighandler_t __action) {
  if (__n < 1 || __n > 64 || __n == SIGKILL || __n == SIGSTOP) {
    __library_failed(22);
    return SIG_ERR;
  }
  return __atomic_exchange_n(&__actions[__n], __action, 5);
}
static inline int sigaction(int __n, const struct sigaction *__new, struct sigaction *__old) {
  __sighandler_t __before = 0;
  __no_signal_comes();
  if (__n < 1 || __n > 64 || __new && (__n == SIGKILL || __n == SIGSTOP)) {
    __library_failed(22);
    return -1;
  }
  if (__new && __new->sa_flags & SA_SIGINFO) __before = __atomic_exchange_n(&__actions[__n], (__sighandler_t)2, 5);
  else if (__new) __before = __atomic_exchange_n(&__actions[__n], __new->sa_handler, 5);
  else __before = __atomic_load_n(&__actions[__n], 5);
  if (__old) {
    __old->sa_handler = __before;
    __old->sa_flags = 0;
  }
  return 0;
}
static inline int raise(int __n) {
  if (__n < 0 || __n > 64) {
    __library_failed(22);
    return -1;
  }
  if (__n == 0) return 0;
  __sighandler_t __action = __atomic_load_n(&__actions[__n], 5);
  if (__action == (__sighandler_t)2) __library_not_modelled("a handler that takes a `siginfo_t` is not modelled");
  else if (__action == SIG_DFL) {
    if (__n != SIGCHLD && __n != SIGCONT && __n != 23 && __n != 28) abort();
  } else if (__action != SIG_IGN) __action(__n);
  return 0;
}
/* A signal for the process comes to its first thread. */
static inline int kill(pid_t __process, int __n) {
  extern pid_t getpid(void), gettid(void);
  if (__n < 0 || __n > 64) {
    __library_failed(22);
    return -1;
  }
  _Bool __to_group = __process < -1 && __VERIFIER_nondet_library_bool();
  if (__process != getpid() && __process != 0 && !__to_group) return __fails_or_is_done();
  if (__n && gettid() != getpid()) {
    __sighandler_t __action = __atomic_load_n(&__actions[__n], 5);
    if (__action != SIG_DFL && __action != SIG_IGN) __library_not_modelled("a signal for another thread is not modelled");
  }
  return raise(__n);
}
static inline int killpg(pid_t __group, int __n) { return kill(__group ? -__group : 0, __n); }
static inline int pthread_kill(pthread_t __who, int __n) {
  extern pthread_t pthread_self(void);
  extern int pthread_equal(pthread_t, pthread_t);
  if (__n == 0) return 0;
  if (__n < 0 || __n > 64) return 22;
  if (!pthread_equal(__who, pthread_self())) __library_not_modelled("a signal for another thread is not modelled");
  return raise(__n);
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
#define SI_TKILL (-6)
#define SI_SIGIO (-5)
#define SI_ASYNCIO (-4)
#define SI_MESGQ (-3)
#define SI_TIMER (-2)
#define SI_QUEUE (-1)
#define SI_USER 0
#define SI_KERNEL 128
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
  __library_failed(22);
  return -1;
}
static inline int sigaltstack(const stack_t *__new, stack_t *__old) {
  stack_t __before = __stack_of_signals, __given = __before;
  if (__new) __given = *__new;
  _Bool __off = __given.ss_flags & SS_DISABLE;
  if (__new && (__given.ss_flags & ~SS_DISABLE || !__off && __given.ss_size < MINSIGSTKSZ)) {
    __library_failed(__given.ss_flags & ~SS_DISABLE ? 22 : 12);
    return -1;
  }
  if (__off) __given.ss_size = 0;
  __stack_of_signals = __given;
  if (__old) *__old = (stack_t){__before.ss_size ? __before.ss_sp : 0, __before.ss_size ? 0 : SS_DISABLE, __before.ss_size};
  return 0;
}
/* Sets are what a program makes of them. What a thread blocks is not kept: such a set is any. */
#define __SIGNALS_IN_WORD (8 * sizeof(long))
static inline int sigemptyset(sigset_t *__set) {
  for (unsigned __at = 0; __at < 64 / __SIGNALS_IN_WORD; __at++) __set->__bits[__at] = 0;
  return 0;
}
/* Adds a signal, or takes it off. */
static inline int __has_signal(sigset_t *__set, int __n, _Bool __now) {
  if (__n < 1 || __n >= NSIG) {
    __library_failed(22);
    return -1;
  }
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
  __library_failed(22);
  return -1;
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
static inline int pthread_sigmask(int __how, const sigset_t *__new, sigset_t *__old) {
  sigset_t __any, __given;
  if (__new) __given.__bits[0] = __new->__bits[0];
  if (__new && (__how < SIG_BLOCK || __how > SIG_SETMASK)) return 22;
  for (unsigned __at = 0; __old && __at < 64 / __SIGNALS_IN_WORD; __at++) __old->__bits[__at] = __any.__bits[__at];
  return 0;
}
static inline int sigprocmask(int __how, const sigset_t *__new, sigset_t *__old) {
  int __why = pthread_sigmask(__how, __new, __old);
  if (!__why) return 0;
  __library_failed(__why);
  return -1;
}
static inline int sigpending(sigset_t *__set) { return sigemptyset(__set); }
static inline int sigsuspend(const sigset_t *__set) {
  extern unsigned sleep(unsigned);
  __no_signal_comes();
  for (;;) sleep(1);
}
static inline int sigwait(const sigset_t *__set, int *__n) { return sigsuspend(__set); }
static inline int sigwaitinfo(const sigset_t *__set, siginfo_t *__info) { return sigsuspend(__set); }
static inline int sigtimedwait(const sigset_t *__set, siginfo_t *__info, const struct timespec *__time) {
  __no_signal_comes();
  __library_failed(11);
  return -1;
}
struct sigevent {
  int sigev_notify, sigev_signo;
  sigval_t sigev_value;
  void (*sigev_notify_function)(sigval_t);
  void *sigev_notify_attributes;
};
#endif
