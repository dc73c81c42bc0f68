/* POSIX fcntl.h */
#ifndef _FCNTL_H
#define _FCNTL_H
#include <__system.h>
#include <features.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <__pipes.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NOCTTY 0400
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_DIRECT 040000
#define O_LARGEFILE 0
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_NOATIME 01000000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define O_PATH 010000000
#define O_ACCMODE 3
#define AT_FDCWD -100
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_DUPFD_CLOEXEC 1030
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define FD_CLOEXEC 1
#define AT_SYMLINK_NOFOLLOW 256
#define AT_EACCESS 512
#define AT_REMOVEDIR 512
#define AT_SYMLINK_FOLLOW 1024
#define AT_EMPTY_PATH 4096
#define F_SETOWN 8
#define F_GETOWN 9
#define F_SETSIG 10
#define F_GETSIG 11
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 1032
#define O_ASYNC 8192
#define O_RSYNC 1052672
#define O_TMPFILE 4259840
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
struct flock { short l_type, l_whence; off_t l_start, l_len; pid_t l_pid; };
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
static inline int open(const char *__name, int __how, ...) {
  __library_reads(__name);
  return __VERIFIER_nondet_library_bool() ? __fails() : 3;
}
static inline int openat(int __folder, const char *__name, int __how, ...) { return open(__name, __how); }
static inline int creat(const char *__name, mode_t __mode) { return open(__name, O_CREAT | O_WRONLY | O_TRUNC, __mode); }
/* Locks are those of the process: they keep no thread from anything. */
static inline int fcntl(int __file, int __what, ...) {
  if (__is_no_file(__file)) return -1;
  __builtin_va_list __rest;
  __builtin_va_start(__rest, __what);
  int __flags = __what == F_SETFD || __what == F_SETFL ? __builtin_va_arg(__rest, int) : 0;
  int __done = __pipe_flags(__file, __what, __flags);
  if (__done != __NO_PIPE) return __done;
  if (__what == F_SETFD || __what == F_SETFL) return __fails_or_is_done();
  if (__what == F_GETFD) return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_bool();
  if (__what == F_GETFL) return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_int() & 0x7fffffff;
  if (__what == F_SETLK || __what == F_SETLKW || __what == F_GETLK) {
    struct flock *__lock = __builtin_va_arg(__rest, struct flock *), __any, __given = *__lock;
    if (__what != F_GETLK) return __fails_or_is_done();
    if (__fails_or_is_done()) return -1;
    if (__VERIFIER_nondet_library_bool()) *__lock = __any;
    else __lock->l_type = F_UNLCK;
    return 0;
  }
  __library_not_modelled("this use of `fcntl`");
  return -1;
}
/* They give the number of the error. */
static inline int posix_fallocate(int __file, off_t __from, off_t __size) {
  return __VERIFIER_nondet_library_bool() ? 0 : 1 + (__VERIFIER_nondet_library_uchar() & 127);
}
static inline int posix_fadvise(int __file, off_t __from, off_t __size, int __how) { return posix_fallocate(__file, __from, __size); }
#endif
