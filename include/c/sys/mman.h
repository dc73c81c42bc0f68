/* POSIX sys/mman.h */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H
#include <__system.h>
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_GROWSDOWN 0x100
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_NONBLOCK 0x10000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_FIXED_NOREPLACE 0x100000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MS_ASYNC 1
#define MS_SYNC 4
#define MADV_REMOVE 9
#define MADV_DONTFORK 10
#define MADV_DOFORK 11
#define MADV_MERGEABLE 12
#define MADV_UNMERGEABLE 13
#define MADV_DONTDUMP 16
#define MADV_DODUMP 17
#define MAP_FILE 0
#define MAP_SHARED_VALIDATE 3
#define MAP_TYPE 15
#define MAP_32BIT 64
#define MAP_DENYWRITE 2048
#define MFD_CLOEXEC 1
#define MFD_ALLOW_SEALING 2
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define MREMAP_DONTUNMAP 4
#define MS_INVALIDATE 2
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4
static inline int mlock(const void *__at, size_t __size) { return 0; }
static inline int mlockall(int __how) { return 0; }
static inline int munlock(const void *__at, size_t __size) { return 0; }
static inline int munlockall(void) { return 0; }
int msync(void *, size_t, int);
/* Memory without a file, as long as it may be read and written; what is still mapped at the end is no leak. */
_Bool __VERIFIER_nondet_library_bool(void);
void __library_not_modelled(const char *);
void *__pages(size_t, int);
size_t __bytes_allocated(const void *);
#define __is_closed(access) (((access) & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
#define __mapped(at, size, access, how, file, from) ({ \
    int __access = (access), __how = (how); \
    void *__new = MAP_FAILED; \
    (void)(at), (void)(file), (void)(from); \
    if ((size) && !__VERIFIER_nondet_library_bool()) { \
      if (!(__how & MAP_ANONYMOUS)) __library_not_modelled("a file is mapped into memory"); \
      else if (__how & (MAP_FIXED | MAP_FIXED_NOREPLACE)) __library_not_modelled("memory is mapped at an address of the program's choice"); \
      else if (__is_closed(__access)) __library_not_modelled("memory is mapped that may not be read or written"); \
      else { \
        __new = __pages(size, __how); \
        if (__new) __builtin_memset(__new, 0, size); \
        else __new = MAP_FAILED; \
      } \
    } \
    __new; })
static inline void *mmap(void *__at, size_t __size, int __what, int __flags, int __file, off_t __from) {
  return __mapped(__at, __size, __what, __flags, __file, __from);
}
#define mmap(...) mmap(__VA_ARGS__) __builtin_by_types(__mmap_by_types(__VA_ARGS__, , , , , ,))
#define __mmap_by_types(at, size, access, how, file, from, ...) \
  __builtin_choose_expr(!__builtin_constant_p(size), (mmap)(at, size, access, how, file, from), __mapped(at, size, access, how, file, from))
static inline int mprotect(void *__at, size_t __size, int __access) {
  if (__is_closed(__access)) __library_not_modelled("memory is made such that it may not be read or written");
  return __fails_or_is_done();
}
static inline int madvise(void *__at, size_t __size, int __use) {
  if (__use == MADV_DONTNEED || __use == MADV_FREE || __use == MADV_REMOVE) __library_not_modelled("`madvise` gives memory back");
  return __fails_or_is_done();
}
static inline int munmap(void *__at, size_t __size) {
  extern void free(void *);
  size_t __all = __bytes_allocated(__at);
  if (!__all || (__all + 4095) / 4096 != (__size + 4095) / 4096) __library_not_modelled("a part of what was mapped is unmapped");
  else free(__at);
  return 0;
}
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
#endif
