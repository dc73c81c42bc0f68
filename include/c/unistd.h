/* POSIX unistd.h */
#ifndef _UNISTD_H
#define _UNISTD_H
#include <features.h>
#include <sys/types.h>
/* What glibc says of itself. What is not modelled is refused where it is called. */
#define _POSIX2_CHAR_TERM 200809L
#define _POSIX2_C_BIND 200809L
#define _POSIX2_C_DEV 200809L
#define _POSIX2_C_VERSION 200809L
#define _POSIX2_LOCALEDEF 200809L
#define _POSIX2_SW_DEV 200809L
#define _POSIX2_VERSION 200809L
#define _POSIX_ADVISORY_INFO 200809L
#define _POSIX_ASYNCHRONOUS_IO 200809L
#define _POSIX_ASYNC_IO 1
#define _POSIX_BARRIERS 200809L
#define _POSIX_CHOWN_RESTRICTED 0
#define _POSIX_CLOCK_SELECTION 200809L
#define _POSIX_CPUTIME 0
#define _POSIX_FSYNC 200809L
#define _POSIX_IPV6 200809L
#define _POSIX_JOB_CONTROL 1
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_MEMLOCK 200809L
#define _POSIX_MEMLOCK_RANGE 200809L
#define _POSIX_MEMORY_PROTECTION 200809L
#define _POSIX_MESSAGE_PASSING 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_NO_TRUNC 1
#define _POSIX_PRIORITIZED_IO 200809L
#define _POSIX_PRIORITY_SCHEDULING 200809L
#define _POSIX_RAW_SOCKETS 200809L
#define _POSIX_READER_WRITER_LOCKS 200809L
#define _POSIX_REALTIME_SIGNALS 200809L
#define _POSIX_REENTRANT_FUNCTIONS 1
#define _POSIX_REGEXP 1
#define _POSIX_SAVED_IDS 1
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_SHARED_MEMORY_OBJECTS 200809L
#define _POSIX_SHELL 1
#define _POSIX_SPAWN 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_SPORADIC_SERVER (-1)
#define _POSIX_SYNCHRONIZED_IO 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_THREAD_ATTR_STACKADDR 200809L
#define _POSIX_THREAD_ATTR_STACKSIZE 200809L
#define _POSIX_THREAD_CPUTIME 0
#define _POSIX_THREAD_PRIORITY_SCHEDULING 200809L
#define _POSIX_THREAD_PRIO_INHERIT 200809L
#define _POSIX_THREAD_PRIO_PROTECT 200809L
#define _POSIX_THREAD_PROCESS_SHARED 200809L
#define _POSIX_THREAD_ROBUST_PRIO_INHERIT 200809L
#define _POSIX_THREAD_ROBUST_PRIO_PROTECT (-1)
#define _POSIX_THREAD_SAFE_FUNCTIONS 200809L
#define _POSIX_THREAD_SPORADIC_SERVER (-1)
#define _POSIX_TIMEOUTS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_TRACE (-1)
#define _POSIX_TRACE_EVENT_FILTER (-1)
#define _POSIX_TRACE_INHERIT (-1)
#define _POSIX_TRACE_LOG (-1)
#define _POSIX_TYPED_MEMORY_OBJECTS (-1)
#define _POSIX_VERSION 200809L
#define _XOPEN_ENH_I18N 1
#define _XOPEN_LEGACY 1
#define _XOPEN_REALTIME 1
#define _XOPEN_REALTIME_THREADS 1
#define _XOPEN_SHM 1
#define _XOPEN_UNIX 1
#define _XOPEN_VERSION 700
#define _XOPEN_XCU_VERSION 4
#define _XOPEN_XPG2 1
#define _XOPEN_XPG3 1
#define _XOPEN_XPG4 1
#define _POSIX_VDISABLE 0
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
#define _PC_LINK_MAX 0
#define _PC_MAX_CANON 1
#define _PC_MAX_INPUT 2
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
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
static inline unsigned int alarm(unsigned int __seconds) {
  __no_signal_comes();
  return __VERIFIER_nondet_library_uint();
}
static inline unsigned int ualarm(useconds_t __first, useconds_t __others) { return alarm(1); }
int __VERIFIER_nondet_library_int(void);
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
static inline int access(const char *__name, int __how) {
  return __is_done_to(__name);
}
static inline int faccessat(int __folder, const char *__name, int __how, int __rest) { return __is_done_to(__name); }
/* Nothing, in a program that calls no `epoll_ctl`. */
void __watched_no_more(int);
static inline int close(int __file) {
  __watched_no_more(__file);
  int __done = __pipe_close(__file);
  return __done == __NO_PIPE ? __is_done_with(__file) : __done;
}
static inline int chdir(const char *__name) { return __is_done_to(__name); }
static inline int fchdir(int __folder) { return __is_done_with(__folder); }
static inline int chroot(const char *__name) { return __is_done_to(__name); }
static inline int chown(const char *__name, uid_t __owner, gid_t __group) { return __is_done_to(__name); }
static inline int lchown(const char *__name, uid_t __owner, gid_t __group) { return __is_done_to(__name); }
static inline int fchown(int __file, uid_t __owner, gid_t __group) { return __is_done_with(__file); }
static inline int dup(int __file) {
  if (__is_no_file(__file)) return -1;
  __pipe_else(__file);
  return __VERIFIER_nondet_library_bool() ? __fails() : 3;
}
static inline int dup2(int __file, int __new) {
  if (__is_no_file(__file) || __is_no_file(__new)) return -1;
  __pipe_else(__file);
  __pipe_else(__new);
  return __VERIFIER_nondet_library_bool() ? __fails() : __new;
}
static inline int dup3(int __file, int __new, int __how) { return dup2(__file, __new); }
void _exit(int);
/* Another program takes the place of this one, which is as an end without handlers; or it fails. */
static inline int execve(const char *__name, char *const *__words, char *const *__variables) {
  __library_reads(__name);
  for (size_t __at = 0; __words && __words[__at]; __at++) __library_reads(__words[__at]);
  for (size_t __at = 0; __variables && __variables[__at]; __at++) __library_reads(__variables[__at]);
  if (__VERIFIER_nondet_library_bool()) _exit(0);
  return __fails();
}
static inline int execv(const char *__name, char *const *__words) { return execve(__name, __words, 0); }
static inline int execvp(const char *__name, char *const *__words) { return execve(__name, __words, 0); }
static inline int execvpe(const char *__name, char *const *__words, char *const *__variables) { return execve(__name, __words, __variables); }
static inline int execl(const char *__name, const char *__first, ...) {
  __builtin_va_list __rest;
  __builtin_va_start(__rest, __first);
  for (const char *__word = __first; __word; __word = __builtin_va_arg(__rest, const char *)) __library_reads(__word);
  return execve(__name, 0, 0);
}
static inline int execlp(const char *__name, const char *__first, ...) {
  __builtin_va_list __rest;
  __builtin_va_start(__rest, __first);
  for (const char *__word = __first; __word; __word = __builtin_va_arg(__rest, const char *)) __library_reads(__word);
  return execve(__name, 0, 0);
}
/* -1 where there is no limit, and where it fails. */
static inline long fpathconf(int __file, int __what) {
  long __limit = __VERIFIER_nondet_library_int();
  return __fails_or_is_done() || __limit < 0 ? -1 : __limit;
}
static inline long pathconf(const char *__name, int __what) {
  __library_reads(__name);
  return fpathconf(0, __what);
}
static inline int fsync(int __file) { return __is_done_with(__file); }
static inline int fdatasync(int __file) { return __is_done_with(__file); }
static inline int syncfs(int __file) { return __is_done_with(__file); }
static inline void sync(void) {}
static inline int ftruncate(int __file, off_t __size) { return __is_done_with(__file); }
static inline int truncate(const char *__name, off_t __size) { return __is_done_to(__name); }
pid_t fork(void);
static inline gid_t getgid(void) { return __VERIFIER_nondet_library_uint(); }
static inline gid_t getegid(void) { return __VERIFIER_nondet_library_uint(); }
/* Any name of at most 64 characters. If there is no room for its end, the call may have written its beginning. */
static inline int gethostname(char *__to, size_t __size) {
  size_t __room = __size < 65 ? __size : 65;
  _Bool __fails_at_once = __VERIFIER_nondet_library_bool();
  if (__fails_at_once) return __fails();
  __any_chars(__to, __room);
  if (__size < 65 && __VERIFIER_nondet_library_bool() || !__size) return __fails_by(36);
  __to[__room - 1] = 0;
  return 0;
}
static inline int getdomainname(char *__to, size_t __size) { return gethostname(__to, __size); }
#if defined __POSIX_ASKED && !defined _GETOPT_H
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
static inline int isatty(int __file) { return !__is_done_with(__file); }
char __name_of_terminal[32];
static inline char *ttyname(int __file) {
  if (__fails_or_is_done()) return 0;
  __name_of_terminal[0] = '/';
  __any_text(__name_of_terminal + 1, 31);
  return __name_of_terminal;
}
static inline int link(const char *__from, const char *__to) {
  __library_reads(__from);
  return __is_done_to(__to);
}
static inline int symlink(const char *__from, const char *__to) { return link(__from, __to); }
static inline int linkat(int __folder, const char *__from, int __other, const char *__to, int __how) { return link(__from, __to); }
static inline int symlinkat(const char *__from, int __folder, const char *__to) { return link(__from, __to); }
long __VERIFIER_nondet_library_long(void);
static inline off_t lseek(int __file, off_t __to, int __from) {
  if (__is_no_file(__file)) return -1;
  __pipe_else(__file);
  off_t __at = __VERIFIER_nondet_library_long();
  return __at < 0 ? __fails() : __at;
}
static inline int nice(int __more) { return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_uchar() % 40 - 20; }
/* Locks are those of the process: they keep no thread from anything. */
static inline int lockf(int __file, int __what, off_t __size) { return __is_done_with(__file); }
/* No signal comes from outside, which a verdict says. */
static inline int pause(void) {
  __no_signal_comes();
  extern unsigned sleep(unsigned);
  for (;;) sleep(1);
}
static inline int pipe(int *__two) { return __VERIFIER_nondet_library_bool() ? __fails() : __make_pipe(__two, 0); }
static inline int pipe2(int *__two, int __how) { return __VERIFIER_nondet_library_bool() ? __fails() : __make_pipe(__two, (__how & 04000) != 0); }
static inline ssize_t pread(int __file, void *__to, size_t __size, off_t __at) {
  if (__is_no_file(__file)) return -1;
  __pipe_else(__file);
  return __any_bytes(__to, __size);
}
static inline ssize_t pwrite(int __file, const void *__from, size_t __size, off_t __at) {
  if (__is_no_file(__file)) return -1;
  __pipe_else(__file);
  return __is_sent(__from, __size);
}
char __VERIFIER_nondet_library_char(void);
static inline ssize_t read(int __file, void *__to, size_t __size) {
  if (__is_no_file(__file)) return -1;
  ssize_t __all = __pipe_read(__file, __to, __size);
  return __all != __NO_PIPE ? __all : __any_bytes(__to, __size);
}
/* Any name that fits. */
static inline char *getcwd(char *__to, size_t __size) {
  extern void *malloc(size_t);
  if (!__size && !__to) __size = 4096;
  if (__size < 2 || __VERIFIER_nondet_library_bool()) return 0;
  if (__to) {
    __any_text(__to + 1, __size - 1);
  } else {
    __to = malloc(__size);
    if (__to) __to[__size - 1] = 0;
  }
  if (__to) __to[0] = '/';
  return __to;
}
/* Any name, without an end. */
static inline ssize_t readlink(const char *__name, char *__to, size_t __size) {
  int __all = __VERIFIER_nondet_library_int();
  __library_reads(__name);
  if (__all < 1 || __all > 4095 || __all > __size) return __fails();
  for (int __n = 0; __n < __all; __n++) {
    char __c = __VERIFIER_nondet_library_char();
    __to[__n] = __c ? __c : '/';
  }
  return __all;
}
static inline ssize_t readlinkat(int __folder, const char *__name, char *__to, size_t __size) { return readlink(__name, __to, __size); }
static inline int rmdir(const char *__name) { return __is_done_to(__name); }
void *sbrk(intptr_t);
/* The numbers of groups and of other processes are any. */
static inline pid_t getpgrp(void) {
  pid_t __any = __VERIFIER_nondet_library_int();
  return __any > 0 ? __any : 1;
}
static inline pid_t getpgid(pid_t __process) { return __fails_or_is_done() ? -1 : getpgrp(); }
static inline pid_t getsid(pid_t __process) { return getpgid(__process); }
static inline pid_t tcgetpgrp(int __file) { return getpgid(0); }
static inline pid_t setsid(void) { return __fails_or_is_done() ? -1 : getpid(); }
static inline int setpgid(pid_t __process, pid_t __group) { return __fails_or_is_done(); }
static inline int tcsetpgrp(int __file, pid_t __group) { return __is_done_with(__file); }
unsigned int sleep(unsigned int);
/* Limits are any; -1 where there is none. There is a processor. */
static inline long sysconf(int __what) {
  long __limit = __VERIFIER_nondet_library_int();
  if (__what == _SC_PAGESIZE) return 4096;
  if (__what == _SC_NPROCESSORS_CONF || __what == _SC_NPROCESSORS_ONLN) return __limit < 1 ? 1 : __limit;
  return __limit < 0 ? -1 : __limit;
}
long syscall(long, ...);
static inline int unlink(const char *__name) { return __is_done_to(__name); }
static inline int unlinkat(int __folder, const char *__name, int __how) { return __is_done_to(__name); }
int usleep(useconds_t);
pid_t vfork(void);
int daemon(int, int);
ssize_t write(int, const void *, size_t);
/* Each two bytes change places; a last one without another stays away. */
static inline void swab(const void *__from, void *__to, ssize_t __size) {
  const char *__r = __from;
  char *__l = __to;
  for (ssize_t __n = 1; __n < __size; __n += 2) {
    char __first = __r[__n - 1];
    __l[__n - 1] = __r[__n];
    __l[__n] = __first;
  }
}
#endif
