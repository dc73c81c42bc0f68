/* POSIX unistd.h */
#ifndef _UNISTD_H
#define _UNISTD_H
#include <features.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_NGROUPS_MAX 3
#define _SC_STREAM_MAX 5
#define _SC_TZNAME_MAX 6
#define _SC_JOB_CONTROL 7
#define _SC_SAVED_IDS 8
#define _SC_VERSION 29
#define _SC_RTSIG_MAX 31
#define _SC_SEM_NSEMS_MAX 32
#define _SC_SEM_VALUE_MAX 33
#define _SC_SIGQUEUE_MAX 34
#define _SC_TIMER_MAX 35
#define _SC_LINE_MAX 43
#define _SC_IOV_MAX 60
#define _SC_THREADS 67
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_LOGIN_NAME_MAX 71
#define _SC_TTY_NAME_MAX 72
#define _SC_THREAD_KEYS_MAX 74
#define _SC_THREAD_STACK_MIN 75
#define _SC_THREAD_THREADS_MAX 76
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_MONOTONIC_CLOCK 149
#define _SC_SYMLOOP_MAX 173
#define _SC_HOST_NAME_MAX 180
#define _SC_LEVEL1_DCACHE_SIZE 188
#define _SC_LEVEL1_DCACHE_LINESIZE 190
extern char **environ;
#include <__options.h>
#include <__pipes.h>
#include <__system.h>
unsigned int __VERIFIER_nondet_library_uint(void);
static inline unsigned int alarm(unsigned int __seconds) { return __VERIFIER_nondet_library_uint(); }
int __VERIFIER_nondet_library_int(void);
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
static inline int access(const char *__name, int __how) {
  __library_reads(__name);
  return __fails_or_is_done();
}
/* Nothing, in a program that calls no `epoll_ctl`. */
void __watched_no_more(int);
static inline int close(int __file) {
  __watched_no_more(__file);
  int __done = __pipe_close(__file);
  return __done == __NO_PIPE ? __fails_or_is_done() : __done;
}
static inline int chdir(const char *__name) { return access(__name, 0); }
static inline int dup(int __file) {
  __pipe_else(__file);
  return __VERIFIER_nondet_library_bool() ? __fails() : 3;
}
static inline int dup2(int __file, int __new) {
  __pipe_else(__file);
  __pipe_else(__new);
  return __VERIFIER_nondet_library_bool() ? __fails() : __new;
}
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execv(const char *, char *const *);
int execve(const char *, char *const *, char *const *);
int execvp(const char *, char *const *);
void _exit(int);
int fsync(int);
int ftruncate(int, off_t);
pid_t fork(void);
static inline gid_t getgid(void) { return __VERIFIER_nondet_library_uint(); }
int gethostname(char *, size_t);
#if (defined _POSIX_SOURCE || defined _POSIX_C_SOURCE) && !defined _GNU_SOURCE && !defined _GETOPT_H
#define __OPTION_ORDER '+'
#else
#define __OPTION_ORDER 0
#endif
static inline int getopt(int __argc, char *const *__argv, const char *__list) {
  return __option_in_list(__argc, (char **)__argv, __list, __OPTION_ORDER);
}
static inline int getpagesize(void) { return 4096; }
pid_t getpid(void);
/* As the process's own, these are any numbers that stay. */
static inline pid_t getppid(void) { return getpid() - 1; }
pid_t gettid(void);
static inline uid_t getuid(void) { return getpid() - 1; }
static inline uid_t geteuid(void) { return __VERIFIER_nondet_library_uint(); }
static inline int isatty(int __file) { return __VERIFIER_nondet_library_bool(); }
int link(const char *, const char *);
long __VERIFIER_nondet_library_long(void);
static inline off_t lseek(int __file, off_t __to, int __from) {
  __pipe_else(__file);
  off_t __at = __VERIFIER_nondet_library_long();
  return __at < 0 ? __fails() : __at;
}
int nice(int);
int lockf(int, int, off_t);
/* No signal comes from outside, which a verdict says. */
static inline int pause(void) {
  extern unsigned sleep(unsigned);
  for (;;) sleep(1);
}
static inline int pipe(int *__two) { return __VERIFIER_nondet_library_bool() ? __fails() : __make_pipe(__two, 0); }
static inline int pipe2(int *__two, int __how) { return __VERIFIER_nondet_library_bool() ? __fails() : __make_pipe(__two, (__how & 04000) != 0); }
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
char __VERIFIER_nondet_library_char(void);
static inline ssize_t read(int __file, void *__to, size_t __size) {
  ssize_t __all = __pipe_read(__file, __to, __size);
  return __all != __NO_PIPE ? __all : __any_bytes(__to, __size);
}
/* Any name that fits. */
static inline char *getcwd(char *__to, size_t __size) {
  extern void *malloc(size_t);
  if (!__size && !__to) __size = 4096;
  if (__size < 2 || __VERIFIER_nondet_library_bool()) return 0;
  if (!__to) __to = malloc(__size);
  if (!__to) return 0;
  __to[0] = '/';
  __any_text(__to + 1, __size - 1);
  return __to;
}
ssize_t readlink(const char *, char *, size_t);
static inline int rmdir(const char *__name) { return access(__name, 0); }
void *sbrk(intptr_t);
pid_t setsid(void);
unsigned int sleep(unsigned int);
void sync(void);
long sysconf(int);
long syscall(long, ...);

int truncate(const char *, off_t);
static inline int unlink(const char *__name) { return access(__name, 0); }
int usleep(useconds_t);
pid_t vfork(void);
ssize_t write(int, const void *, size_t);
#endif
