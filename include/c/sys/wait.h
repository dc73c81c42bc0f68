/* POSIX sys/wait.h */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <__system.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <__status.h>
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x1000000
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 128)
#define P_ALL 0
#define P_PID 1
#define P_PGID 2
/* A program has no children but those of `popen`. */
_Bool __has_children;
static inline pid_t waitpid(pid_t __process, int *__status, int __how) {
  if (__atomic_load_n(&__has_children, 5)) __library_not_modelled("a wait for a child, in a program that calls `popen`");
  return __fails_by(__how & ~(WNOHANG | WUNTRACED | WCONTINUED) ? 22 : 10);
}
static inline pid_t wait(int *__status) { return waitpid(-1, __status, 0); }
static inline pid_t wait4(pid_t __process, int *__status, int __how, struct rusage *__used) { return waitpid(__process, __status, __how); }
static inline pid_t wait3(int *__status, int __how, struct rusage *__used) { return waitpid(-1, __status, __how); }
#endif
