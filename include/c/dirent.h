/* POSIX dirent.h */
#ifndef _DIRENT_H
#define _DIRENT_H
#include <__system.h>
#include <sys/types.h>
#include <limits.h>
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
/* Directories are not modelled: opening may fail, and there are any entries. */
typedef struct __dir { struct dirent __entry; } DIR;
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
_Bool __VERIFIER_nondet_library_bool(void);
void __library_reads(const char *);
static inline int closedir(DIR *__d) {
  extern void free(void *);
  free(__d);
  return __fails_or_is_done();
}
static inline DIR *opendir(const char *__name) {
  extern void *malloc(size_t);
  __library_reads(__name);
  return __VERIFIER_nondet_library_bool() ? 0 : malloc(sizeof(DIR));
}
static inline struct dirent *readdir(DIR *__d) {
  struct dirent __any;
  __d->__entry = __any;
  __d->__entry.d_name[255] = 0;
  if (!__d->__entry.d_name[0]) __d->__entry.d_name[0] = '.';
  return __VERIFIER_nondet_library_bool() ? 0 : &__d->__entry;
}
static inline void rewinddir(DIR *__d) { __d->__entry.d_name[0] = 0; }
#endif
