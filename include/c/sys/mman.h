/* POSIX sys/mman.h */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H
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
int madvise(void *, size_t, int);
static inline int mlock(const void *__at, size_t __size) { return 0; }
static inline int mlockall(int __how) { return 0; }
static inline int munlock(const void *__at, size_t __size) { return 0; }
static inline int munlockall(void) { return 0; }
void *mmap(void *, size_t, int, int, int, off_t);
int mprotect(void *, size_t, int);
int msync(void *, size_t, int);
int munmap(void *, size_t);
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
#endif
