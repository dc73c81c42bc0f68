/* POSIX sys/stat.h */
#ifndef _SYS_STAT_H
#define _SYS_STAT_H
#include <__system.h>
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim, st_mtim, st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFBLK 0060000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IROTH 0004
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IRWXO 0007
#define S_ISUID 04000
#define S_ISGID 02000
#define ACCESSPERMS 511
#define ALLPERMS 4095
#define S_IEXEC 64
#define S_IWRITE 128
#define S_IREAD 256
#define S_ISVTX 512
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
/* Files are not modelled: there may be none, and what is there may be anything. */
static inline int fstat(int __file, struct stat *__of) {
  struct stat __any;
  if (__is_done_with(__file)) return -1;
  if (__any.st_size < 0) __any.st_size = 0;
  *__of = __any;
  return 0;
}
static inline int stat(const char *__name, struct stat *__of) {
  __library_reads(__name);
  return fstat(0, __of);
}
static inline int lstat(const char *__name, struct stat *__of) { return stat(__name, __of); }
static inline int mkdir(const char *__name, mode_t __mode) {
  return __is_done_to(__name);
}
static inline int mkdirat(int __folder, const char *__name, mode_t __mode) { return __is_done_to(__name); }
static inline int fstatat(int __folder, const char *__name, struct stat *__of, int __how) { return stat(__name, __of); }
static inline int chmod(const char *__name, mode_t __mode) { return __is_done_to(__name); }
static inline int fchmod(int __file, mode_t __mode) { return __is_done_with(__file); }
static inline int fchmodat(int __folder, const char *__name, mode_t __mode, int __how) { return __is_done_to(__name); }
static inline int mkfifo(const char *__name, mode_t __mode) { return __is_done_to(__name); }
static inline int mknod(const char *__name, mode_t __mode, dev_t __of) { return __is_done_to(__name); }
static inline int utimensat(int __folder, const char *__name, const struct timespec *__two, int __how) {
  if (__two) __library_reads_bytes(__two, 2 * sizeof *__two);
  return __name ? __is_done_to(__name) : __fails_or_is_done();
}
static inline int futimens(int __file, const struct timespec *__two) { return utimensat(__file, 0, __two, 0); }
/* With a bit above it, once it is set. It begins with any. */
int __mask_of_modes;
static inline mode_t umask(mode_t __new) {
  int __old = __atomic_exchange_n(&__mask_of_modes, (int)(__new & 0777 | 01000), 5), __first = __VERIFIER_nondet_library_int();
  return (__old ? __old : __first) & 0777;
}
#endif
