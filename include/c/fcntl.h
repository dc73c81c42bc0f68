/* POSIX fcntl.h */
#ifndef _FCNTL_H
#define _FCNTL_H
#include <features.h>
#include <sys/types.h>
#include <sys/stat.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_SYNC 04010000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_SETLK 6
#define F_SETLKW 7
#define FD_CLOEXEC 1
int creat(const char *, mode_t);
int fcntl(int, int, ...);
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
static inline int open(const char *__name, int __how, ...) {
  __library_reads(__name);
  return __VERIFIER_nondet_library_bool() ? 3 : -1;
}
#endif
