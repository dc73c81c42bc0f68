/* C11 7.21, POSIX stdio.h */
#ifndef _STDIO_H
#define _STDIO_H
#include <features.h>
#include <stddef.h>
#include <stdarg.h>
#include <sys/types.h>
#include <__system.h>
/* Files are not modelled: opening may fail, what is read is any text, what is written is gone. */
typedef struct __file { int __number; } FILE;
_Bool __VERIFIER_nondet_library_bool(void);
char __VERIFIER_nondet_library_char(void);
int __VERIFIER_nondet_library_int(void);
long __VERIFIER_nondet_library_long(void);
__attribute__((weak)) FILE __streams[8] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
__attribute__((weak)) FILE *stdin = &__streams[0], *stdout = &__streams[1], *stderr = &__streams[2];
__attribute__((weak)) int __streams_open = 3;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* A stream of its own for each file, as long as there are some: the last one stands for all others. */
static inline FILE *__any_file(void) {
  if (__fails_or_is_done()) return 0;
  __VERIFIER_atomic_begin();
  FILE *__f = &__streams[__streams_open];
  if (__streams_open < 7) __streams_open++;
  __VERIFIER_atomic_end();
  return __f;
}
static inline int __any_result(FILE *__f) { return __f->__number < 0 ? -1 : __VERIFIER_nondet_library_int(); }
/* 0, or what says that it failed. */
static inline int __failed_or_done(FILE *__f) { return __f->__number < 0 ? -1 : __fails_or_is_done(); }
/* A program that calls `ungetc` reads as the functions below say that begin with `__written_`: a character may have been pushed back. */
int __pushed_back[7];
void __before_reading(FILE *);
void __before_moving(FILE *);
static inline void __written___before_reading(FILE *__f) {
  int __at = __f->__number;
  if (__at < 7 && __atomic_load_n(&__pushed_back[__at], 5))
    __library_not_modelled("a character that was pushed back is read by another function than `getc`, `fgetc` and `getchar`");
}
static inline void __written___before_moving(FILE *__f) {
  int __at = __f->__number;
  if (__at < 7) __atomic_store_n(&__pushed_back[__at], 0, 5);
}
static inline int __written_ungetc(int __c, FILE *__f) {
  int __at = __f->__number;
  if (__c == -1) return -1;
  if (__at >= 7) __library_not_modelled("a character is pushed back where many files are open");
  else if (__atomic_exchange_n(&__pushed_back[__at], (unsigned char)__c + 1, 5)) __library_not_modelled("a second character is pushed back");
  return (unsigned char)__c;
}
typedef long fpos_t;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define FOPEN_MAX 16
#define L_ctermid 9
#define L_tmpnam 20
#define TMP_MAX 238328
static inline void clearerr(FILE *__f) {}
static inline int fclose(FILE *__f) {
  __before_moving(__f);
  __VERIFIER_atomic_begin();
  if (__f->__number > 2 && __f->__number + 1 == __streams_open) __streams_open--;
  __VERIFIER_atomic_end();
  return __failed_or_done(__f);
}
void __library_reads(const char *);
int __pipe_else(int);
static inline FILE *fdopen(int __d, const char *__how) {
  __pipe_else(__d);
  __library_reads(__how);
  return __any_file();
}
static inline int feof(FILE *__f) { return __any_result(__f); }
static inline int ferror(FILE *__f) { return __any_result(__f); }
int fflush(FILE *);
static inline int fgetc(FILE *__f) {
  int __c = __any_result(__f);
  return __c >= 0 && __c <= 255 ? __c : -1;
}
static inline int __written_fgetc(FILE *__f) {
  int __at = __f->__number, __pushed = __at < 7 ? __atomic_exchange_n(&__pushed_back[__at], 0, 5) : 0;
  if (__pushed) return __pushed - 1;
  int __c = __any_result(__f);
  return __c >= 0 && __c <= 255 ? __c : -1;
}
static inline int __written_getchar(void) { return __written_fgetc(stdin); }
/* A line ends with its first '\n'. A file may hold zeros: a text is any one, also an empty one. What lies behind it in the array is any, too. */
static inline char *fgets(char *__to, int __size, FILE *__f) {
  __before_reading(__f);
  if (__size < 1 || __any_result(__f) < 0) return 0;
  char __last = 0;
  for (int __n = 0; __n < __size - 1; __n++) {
    char __c = __VERIFIER_nondet_library_char();
    __last = __last == '\n' ? 0 : __c;
    __to[__n] = __last;
  }
  __to[__size - 1] = 0;
  return __to;
}
/* A line of any length. */
static inline char *gets(char *__to) {
  if (__any_result(stdin) < 0) return 0;
  __before_reading(stdin);
  size_t __n = 0;
  for (;; __n++) {
    char __c = __VERIFIER_nondet_library_char();
    if (__c == '\n') break;
    __to[__n] = __c;
  }
  __to[__n] = 0;
  return __to;
}
static inline int fileno(FILE *__f) {
  int __d = __any_result(__f);
  return __f->__number < 3 ? __f->__number : __d < 0 ? -1 : __d;
}
/* A lock of each stream, which a thread may take again. Only these functions look at it, which a verdict says. */
int __stream_is_locked[8];
_Thread_local int __stream_locks[8];
int __VERIFIER_xchg_await_int(int *, int, unsigned, int);
static inline void flockfile(FILE *__f) {
  if (__f->__number == 7) __library_not_modelled("a stream is locked where many files are open");
  if (!__stream_locks[__f->__number]) __VERIFIER_xchg_await_int(&__stream_is_locked[__f->__number], 1, 2, 0);
  __stream_locks[__f->__number]++;
}
static inline int ftrylockfile(FILE *__f) {
  if (__f->__number == 7) __library_not_modelled("a stream is locked where many files are open");
  if (!__stream_locks[__f->__number] && __atomic_exchange_n(&__stream_is_locked[__f->__number], 1, 5)) return 1;
  __stream_locks[__f->__number]++;
  return 0;
}
static inline void funlockfile(FILE *__f) {
  if (!__stream_locks[__f->__number]) __library_not_modelled("a stream is unlocked that this thread has not locked");
  if (!--__stream_locks[__f->__number]) __atomic_store_n(&__stream_is_locked[__f->__number], 0, 5);
}
static inline FILE *fopen(const char *__name, const char *__how) {
  __library_reads(__name);
  __library_reads(__how);
  return __any_file();
}
int fprintf(FILE *, const char *, ...);
int fputc(int, FILE *);
int fputs(const char *, FILE *);
int putc(int, FILE *);
int putchar(int);
static inline size_t fread(void *__to, size_t __size, size_t __count, FILE *__f) {
  __before_reading(__f);
  size_t __all = __any_result(__f);
  if (!__size || __all > __count) return 0;
  char *__bytes = __to;
  __any_chars(__bytes, __all * __size);
  return __all;
}
/* Where it fails, the stream is closed. */
static inline FILE *freopen(const char *__name, const char *__how, FILE *__f) {
  __before_moving(__f);
  if (__name) __library_reads(__name);
  __library_reads(__how);
  return __failed_or_done(__f) ? 0 : __f;
}
int fscanf(FILE *, const char *, ...);
static inline int fseek(FILE *__f, long __to, int __from) {
  __before_moving(__f);
  return __failed_or_done(__f);
}
static inline int fseeko(FILE *__f, off_t __to, int __from) { return fseek(__f, __to, __from); }
static inline long ftell(FILE *__f) {
  __before_reading(__f);
  long __at = __VERIFIER_nondet_library_long();
  return __failed_or_done(__f) || __at < 0 ? -1 : __at;
}
static inline off_t ftello(FILE *__f) { return ftell(__f); }
static inline int fgetpos(FILE *__f, fpos_t *__to) {
  long __at = ftell(__f);
  if (__at < 0) return -1;
  *__to = __at;
  return 0;
}
static inline int fsetpos(FILE *__f, const fpos_t *__from) { return fseek(__f, *__from, SEEK_SET); }
size_t fwrite(const void *, size_t, size_t, FILE *);
static inline int getc(FILE *__f) { return fgetc(__f); }
int getchar(void);
static inline int getc_unlocked(FILE *__f) { return fgetc(__f); }
static inline int getchar_unlocked(void) { return getchar(); }
/* No thread locks a stream against these. */
static inline int putc_unlocked(int __c, FILE *__f) { return putc(__c, __f); }
static inline int putchar_unlocked(int __c) { return putchar(__c); }
static inline int fputc_unlocked(int __c, FILE *__f) { return putc(__c, __f); }
static inline int fputs_unlocked(const char *__s, FILE *__f) { return fputs(__s, __f); }
static inline int fgetc_unlocked(FILE *__f) { return fgetc(__f); }
static inline char *fgets_unlocked(char *__to, int __size, FILE *__f) { return fgets(__to, __size, __f); }
static inline size_t fread_unlocked(void *__to, size_t __size, size_t __count, FILE *__f) { return fread(__to, __size, __count, __f); }
static inline size_t fwrite_unlocked(const void *__from, size_t __size, size_t __count, FILE *__f) { return fwrite(__from, __size, __count, __f); }
static inline int fflush_unlocked(FILE *__f) { return fflush(__f); }
static inline int feof_unlocked(FILE *__f) { return feof(__f); }
static inline int ferror_unlocked(FILE *__f) { return ferror(__f); }
static inline void clearerr_unlocked(FILE *__f) { clearerr(__f); }
static inline ssize_t getline(char **__line, size_t *__size, FILE *__f) {
  extern void *malloc(size_t);
  extern void free(void *);
  ssize_t __length = __VERIFIER_nondet_library_int(), __n = 1;
  __before_reading(__f);
  if (__failed_or_done(__f) || __length < 1) return -1;
  _Bool __more = !*__line || *__size <= __length;
  if (__more) {
    char *__new = malloc(__length + 1);
    if (!__new) return -1;
    free(*__line);
    *__line = __new;
    *__size = __length + 1;
  }
  /* From here on the length is known. What is new has any characters already. */
  while (__n < __length) __n++;
  char *__to = *__line;
  for (ssize_t __at = 0; !__more && __at < __n; __at++) {
    char __c = __VERIFIER_nondet_library_char();
    __to[__at] = __c == '\n' && __at + 1 < __n ? 0 : __c;
  }
  __to[__n] = 0;
  return __n;
}
/* A child with a pipe, which is a file like any other. */
_Bool __has_children;
static inline FILE *popen(const char *__command, const char *__how) {
  __library_reads(__command);
  __library_reads(__how);
  __atomic_store_n(&__has_children, 1, 5);
  return __any_file();
}
static inline int pclose(FILE *__f) {
  int __status = __VERIFIER_nondet_library_int();
  return fclose(__f) || __status < 0 ? -1 : __status & 0xffff;
}
void perror(const char *);
int printf(const char *, ...);
int puts(const char *);
static inline int remove(const char *__name) {
  __library_reads(__name);
  return __fails_or_is_done();
}
static inline int rename(const char *__from, const char *__to) {
  __library_reads(__from);
  __library_reads(__to);
  return __fails_or_is_done();
}
static inline void rewind(FILE *__f) { __before_moving(__f); }
int scanf(const char *, ...);
void setbuf(FILE *, char *);
static inline void setlinebuf(FILE *__f) { __any_result(__f); }
int setvbuf(FILE *, char *, int, size_t);
int snprintf(char *, size_t, const char *, ...);
int sprintf(char *, const char *, ...);
int sscanf(const char *, const char *, ...);
int asprintf(char **, const char *, ...);
int dprintf(int, const char *, ...);
char __name_of_file[L_tmpnam];
/* Any name, perhaps where all threads see it. */
static inline char *tmpnam(char *__to) {
  if (!__to) __to = __name_of_file;
  if (__VERIFIER_nondet_library_bool()) return 0;
  __to[0] = '/';
  for (int __n = 1; __n < L_tmpnam - 1; __n++) __to[__n] = "abcdefghijklmnopqrstuvwxyz0123456789"[__VERIFIER_nondet_library_uchar() % 36];
  __to[L_tmpnam - 1] = 0;
  return __to;
}
static inline FILE *tmpfile(void) { return __any_file(); }
int ungetc(int, FILE *);
int vfprintf(FILE *, const char *, va_list);
int vprintf(const char *, va_list);
int vscanf(const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int vsprintf(char *, const char *, va_list);
/* A pointer to a function with `...` leads to one of these. */
#define __BY_POINTER(name, params, last, args) \
  static inline int __by_pointer_##name params { \
    va_list __list; \
    va_start(__list, last); \
    int __count = v##name args; \
    va_end(__list); \
    return __count; \
  }
__BY_POINTER(printf, (const char *__f, ...), __f, (__f, __list))
__BY_POINTER(fprintf, (FILE *__to, const char *__f, ...), __f, (__to, __f, __list))
__BY_POINTER(sprintf, (char *__to, const char *__f, ...), __f, (__to, __f, __list))
__BY_POINTER(snprintf, (char *__to, size_t __size, const char *__f, ...), __f, (__to, __size, __f, __list))
int vsscanf(const char *, const char *, va_list);
int vasprintf(char **, const char *, va_list);
#include <__texts.h>
#endif
