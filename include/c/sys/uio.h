/* POSIX sys/uio.h */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H
#include <__system.h>
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
int __pipe_else(int);
static inline size_t __size_of_parts(const struct iovec *__parts, int __count) {
  size_t __size = 0;
  for (int __at = 0; __at < __count && __count <= 1024; __at++) __size += __parts[__at].iov_len;
  return __size;
}
static inline ssize_t readv(int __file, const struct iovec *__parts, int __count) {
  size_t __size = __size_of_parts(__parts, __count);
  long __all = __VERIFIER_nondet_library_int();
  __pipe_else(__file);
  if (__count < 0 || __count > 1024 || __all < 0 || __all > __size) return __fails();
  size_t __rest = __all;
  for (int __at = 0; __at < __count; __at++) {
    size_t __part = __parts[__at].iov_len < __rest ? __parts[__at].iov_len : __rest;
    char *__to = __parts[__at].iov_base;
    __any_chars(__to, __part);
    __rest -= __part;
  }
  return __all;
}
static inline ssize_t writev(int __file, const struct iovec *__parts, int __count) {
  size_t __size = __size_of_parts(__parts, __count);
  long __all = __VERIFIER_nondet_library_long();
  __pipe_else(__file);
  for (int __at = 0; __at < __count && __count <= 1024; __at++) __library_reads_bytes(__parts[__at].iov_base, __parts[__at].iov_len);
  return __count < 0 || __count > 1024 || __all < 0 || __all > __size ? __fails() : __all;
}
static inline ssize_t preadv(int __file, const struct iovec *__parts, int __count, off_t __at) { return readv(__file, __parts, __count); }
static inline ssize_t pwritev(int __file, const struct iovec *__parts, int __count, off_t __at) { return writev(__file, __parts, __count); }
#endif
