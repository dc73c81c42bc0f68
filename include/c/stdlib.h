/* C11 7.22, POSIX stdlib.h */
#ifndef _STDLIB_H
#define _STDLIB_H
#include <features.h>
#include <stddef.h>
#include <sys/types.h>
#include <__status.h>
#include <alloca.h>
#include <__fractions.h>
#include <__numbers.h>
#include <__system.h>
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
void *aligned_alloc(size_t, size_t);
void *valloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void *malloc(size_t);
/* `f(a) __builtin_by_types(e)` is `e` if `f` is the function of this header. Otherwise it is `f(a)`: the call of a member or of the
   program's own function, or a declaration. The commas behind `__VA_ARGS__` stand for arguments that a declaration lacks. */
#define __memory_aligned(to, align, size, constant) ({ \
    size_t __align = (align); \
    int __failed = 22; \
    if (__align >= sizeof(void *) && !(__align & (__align - 1))) { \
      void *__new = aligned_alloc(constant, size); \
      __failed = __new ? 0 : 12; \
      if (__new) *(to) = __new; \
    } \
    __failed; })
static inline int posix_memalign(void **__to, size_t __alignment, size_t __size) {
  return __memory_aligned(__to, __alignment, __size, __align);
}
#define posix_memalign(...) posix_memalign(__VA_ARGS__) __builtin_by_types(__memalign_by_types(__VA_ARGS__, , ,))
#define __memalign_by_types(to, align, size, ...) \
  __memory_aligned(to, align, size, __builtin_choose_expr(__builtin_constant_p(align), (align), __align))
/* How many bytes the object has that was allocated here. */
size_t __bytes_allocated(const void *);
/* Behind a `void *` there are elements of the type that the caller knows. */
static inline void *__reallocated(void *__old, size_t __size) {
  void *__new = malloc(__size);
  if (__old && __new) {
    size_t __before = __bytes_allocated(__old);
    __builtin_memcpy(__new, __old, __before < __size ? __before : __size);
    free(__old);
  }
  return __new;
}
#if __STDC_VERSION__ > 201710L
void __library_wrong(const char *);
static inline void free_sized(void *__old, size_t __size) {
  if (__old) {
    size_t __before = __bytes_allocated(__old);
    if (__before != __size) __library_wrong("this memory was allocated with another size");
  }
  free(__old);
}
static inline void free_aligned_sized(void *__old, size_t __alignment, size_t __size) { free_sized(__old, __size); }
#endif
static inline void *realloc(void *__old, size_t __size) { return __reallocated(__old, __size); }
static inline void *reallocarray(void *__old, size_t __count, size_t __size) {
  if (!__size || __count <= (size_t)-1 / __size) return __reallocated(__old, __count * __size);
  __library_failed(12);
  return 0;
}
void abort(void);
/* Threads may add handlers at the same time. */
void (*__at_exit[32])(void);
int __handlers;
static inline int atexit(void (*__handler)(void)) {
  int __at = __atomic_fetch_add(&__handlers, 1, 5);
  if (__at >= 32) return 1;
  __atomic_store_n(&__at_exit[__at], __handler, 5);
  return 0;
}
static inline void __run_at_exit(void) {
  int __at;
  while ((__at = __atomic_fetch_sub(&__handlers, 1, 5)) > 0) {
    void (*__handler)(void) = __at > 32 ? 0 : __atomic_load_n(&__at_exit[__at - 1], 5);
    if (__handler) __handler();
  }
}
void exit(int);
void _Exit(int);
/* Handlers of `quick_exit` */
void (*__at_quick_exit[32])(void);
int __quick_handlers;
static inline int at_quick_exit(void (*__handler)(void)) {
  int __at = __atomic_fetch_add(&__quick_handlers, 1, 5);
  if (__at >= 32) return 1;
  __atomic_store_n(&__at_quick_exit[__at], __handler, 5);
  return 0;
}
static inline void quick_exit(int __status) {
  int __at;
  while ((__at = __atomic_fetch_sub(&__quick_handlers, 1, 5)) > 0) {
    void (*__handler)(void) = __at > 32 ? 0 : __atomic_load_n(&__at_quick_exit[__at - 1], 5);
    if (__handler) __handler();
  }
  _Exit(__status);
}
_Bool __VERIFIER_nondet_library_bool(void);
int __VERIFIER_nondet_library_int(void);
void __library_reads(const char *);
/* Of so many variables, with names of at most 23 characters, it is kept whether they are there. */
#define __VARIABLES 8
unsigned long long __asked[__VARIABLES][3];
_Bool __is_there[__VARIABLES], __only_new_ones;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* Whether a variable is there, or from now on is. */
static inline _Bool __variable(const char *__name, _Bool __changes, _Bool __now) {
  unsigned long long __text[3] = {0, 0, 0};
  unsigned __n = 0;
  while (__n < 24 && __name[__n]) {
    __text[__n / 8] |= (unsigned long long)(unsigned char)__name[__n] << __n % 8 * 8;
    __n++;
  }
  _Bool __there = __VERIFIER_nondet_library_bool();
  if (__n == 0 || __n == 24) return __there;
  __VERIFIER_atomic_begin();
  for (unsigned __at = 0; __at < __VARIABLES; __at++) {
    unsigned long long __first = __atomic_load_n(&__asked[__at][0], 5);
    if (__first == 0) {
      for (unsigned __k = 0; __k < 3; __k++) __atomic_store_n(&__asked[__at][__k], __text[__k], 5);
      if (__changes) __there = __now;
      else if (__atomic_load_n(&__only_new_ones, 5)) __there = 0;
      __atomic_store_n(&__is_there[__at], __there, 5);
      break;
    }
    if (__first == __text[0] && __atomic_load_n(&__asked[__at][1], 5) == __text[1] && __atomic_load_n(&__asked[__at][2], 5) == __text[2]) {
      if (__changes) __atomic_store_n(&__is_there[__at], __now, 5);
      __there = __atomic_load_n(&__is_there[__at], 5);
      break;
    }
  }
  __VERIFIER_atomic_end();
  return __there;
}
/* There is such a variable or not; what it says is not known. */
long __text_that_is_not_known;
static inline char *getenv(const char *__name) {
  __library_reads(__name);
  return __variable(__name, 0, 0) ? (char *)&__text_that_is_not_known : 0;
}
/* Whether no variable can have this name. */
static inline _Bool __no_variable(const char *__name) {
  size_t __n = 0;
  while (__name[__n] && __name[__n] != '=') __n++;
  if (__n && !__name[__n]) return 0;
  __library_failed(22);
  return 1;
}
static inline int __perhaps_no_memory(void) {
  if (!__VERIFIER_nondet_library_bool()) return 0;
  return __fails_by(12);
}
static inline int setenv(const char *__name, const char *__value, int __over) {
  __library_reads(__name);
  __library_reads(__value);
  int __failed = __no_variable(__name) ? -1 : __perhaps_no_memory();
  if (!__failed) __variable(__name, 1, 1);
  return __failed;
}
static inline int unsetenv(const char *__name) {
  if (__no_variable(__name)) return -1;
  __variable(__name, 1, 0);
  return 0;
}
/* Without a `=` it takes a variable away. */
static inline int putenv(char *__text) {
  char __name[24];
  unsigned __n = 0;
  __library_reads(__text);
  while (__text[__n] && __text[__n] != '=') {
    if (__n < 23) __name[__n] = __text[__n];
    __n++;
  }
  __name[__n < 23 ? __n : 23] = 0;
  if (__text[__n] == '=' && __perhaps_no_memory()) return -1;
  if (__n < 24) __variable(__name, 1, __text[__n] == '=');
  return 0;
}
static inline int clearenv(void) {
  __VERIFIER_atomic_begin();
  __atomic_store_n(&__only_new_ones, 1, 5);
  for (unsigned __at = 0; __at < __VARIABLES; __at++) __atomic_store_n(&__is_there[__at], 0, 5);
  __VERIFIER_atomic_end();
  return 0;
}
static inline int system(const char *__command) {
  if (__command) __library_reads(__command);
  return __VERIFIER_nondet_library_int();
}
int abs(int);
long labs(long);
long long llabs(long long);
static inline div_t div(int __l, int __r) {
  div_t __both = {__l / __r, __l % __r};
  return __both;
}
static inline ldiv_t ldiv(long __l, long __r) {
  ldiv_t __both = {__l / __r, __l % __r};
  return __both;
}
static inline lldiv_t lldiv(long long __l, long long __r) {
  lldiv_t __both = {__l / __r, __l % __r};
  return __both;
}
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
int rand(void);
int rand_r(unsigned int *);
void srand(unsigned int);
long random(void);
void srandom(unsigned int);
double drand48(void);
unsigned int __VERIFIER_nondet_library_uint(void);
static inline long lrand48(void) { return __VERIFIER_nondet_library_uint() >> 1; }
static inline long mrand48(void) { return __VERIFIER_nondet_library_int(); }
void srand48(long);
/* What is kept for the next number is any, too. */
static inline void __next_numbers(unsigned short *__three) {
  for (int __n = 0; __n < 3; __n++) {
    unsigned short __last = __three[__n];
    __three[__n] = __last ^ __VERIFIER_nondet_library_uint();
  }
}
static inline double erand48(unsigned short *__three) {
  __next_numbers(__three);
  return drand48();
}
static inline long nrand48(unsigned short *__three) {
  __next_numbers(__three);
  return lrand48();
}
static inline long jrand48(unsigned short *__three) {
  __next_numbers(__three);
  return mrand48();
}
struct drand48_data { unsigned short __x[3], __old_x[3], __c, __init; unsigned long long __a; };
static inline int srand48_r(long __seed, struct drand48_data *__d) {
  __next_numbers(__d->__x);
  return 0;
}
static inline int seed48_r(unsigned short *__seed, struct drand48_data *__d) {
  for (int __n = 0; __n < 3; __n++) __d->__x[__n] = __seed[__n];
  return 0;
}
static inline int drand48_r(struct drand48_data *__d, double *__to) {
  *__to = erand48(__d->__x);
  return 0;
}
static inline int lrand48_r(struct drand48_data *__d, long *__to) {
  *__to = nrand48(__d->__x);
  return 0;
}
static inline int mrand48_r(struct drand48_data *__d, long *__to) {
  *__to = jrand48(__d->__x);
  return 0;
}
static inline int erand48_r(unsigned short *__three, struct drand48_data *__d, double *__to) {
  *__to = erand48(__three);
  return 0;
}
static inline int nrand48_r(unsigned short *__three, struct drand48_data *__d, long *__to) {
  *__to = nrand48(__three);
  return 0;
}
static inline int jrand48_r(unsigned short *__three, struct drand48_data *__d, long *__to) {
  *__to = jrand48(__three);
  return 0;
}
/* Which number comes next is not kept. Each call writes, so that it may race. */
struct random_data { int *fptr, *rptr, *state; int rand_type, rand_deg, rand_sep; int *end_ptr; };
static inline int srandom_r(unsigned int __seed, struct random_data *__d) {
  __d->rand_type = 0;
  return 0;
}
static inline int initstate_r(unsigned int __seed, char *__state, size_t __size, struct random_data *__d) {
  if (__size < 8) return __fails_by(22);
  __state[0] = 0;
  return srandom_r(__seed, __d);
}
static inline int setstate_r(char *__state, struct random_data *__d) { return srandom_r(0, __d); }
static inline int random_r(struct random_data *__d, int *__to) {
  __d->rand_type = 0;
  *__to = __VERIFIER_nondet_library_int() & 0x7fffffff;
  return 0;
}
/* Digits of base 64, the lowest first. */
static inline long a64l(const char *__s) {
  unsigned int __number = 0;
  for (int __n = 0; __n < 6 && __s[__n]; __n++) {
    char __c = __s[__n];
    int __value = __c >= '.' && __c <= '9' ? __c - '.' : __c >= 'A' && __c <= 'Z' ? __c - 'A' + 12 : __c >= 'a' && __c <= 'z' ? __c - 'a' + 38 : -1;
    if (__value < 0) break;
    __number |= (unsigned int)__value << 6 * __n;
  }
  return __number;
}
char __text_of_64[8];
static inline char *l64a(long __given) {
  unsigned int __number = __given;
  int __n = 0;
  for (; __number; __number >>= 6)
    __text_of_64[__n++] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[__number & 63];
  __text_of_64[__n] = 0;
  return __text_of_64;
}
/* The number itself is not computed. */
static inline long double strtold(const char *__s, char **__end) {
  union { __float_bits __bits; double __number; } __read = {__float_in_text(__s, __end, 0)};
  __float_bits __size = __read.__bits & ~__FLOAT_SIGN;
  if (__size == __FLOAT_INFINITE || __size && __size <= 1ULL << 52) __library_not_modelled("a `long double` that no `double` is near to");
  return __read.__number;
}
/* The option, or -1; a value stands behind `=`. */
static inline int getsubopt(char **__rest, char *const *__names, char **__value) {
  if (!**__rest) return -1;
  char *__word = *__rest, *__end = __word, *__is = 0;
  for (; *__end && *__end != ','; __end++)
    if (*__end == '=' && !__is) __is = __end;
  size_t __length = (__is ? __is : __end) - __word;
  *__rest = *__end ? __end + 1 : __end;
  if (*__end) *__end = 0;
  for (int __n = 0; __names[__n]; __n++) {
    size_t __same = 0;
    while (__same < __length && __names[__n][__same] == __word[__same]) __same++;
    if (__same == __length && !__names[__n][__same]) {
      *__value = __is ? __is + 1 : 0;
      return __n;
    }
  }
  *__value = __word;
  return -1;
}
/* In the locale "C" a character is a byte. Systems differ in what they make of those beyond ASCII. */
static inline int mbtowc(wchar_t *__to, const char *__s, size_t __most) {
  if (!__s) return 0;
  /* The end of a text counts even where nothing may be read. */
  if (!__most && *__s) return -1;
  if ((unsigned char)*__s > 127) __library_not_modelled("a wide character beyond ASCII is made or read");
  if (__to) *__to = (unsigned char)*__s;
  return *__s != 0;
}
static inline int mblen(const char *__s, size_t __most) { return mbtowc(0, __s, __most); }
static inline int wctomb(char *__to, wchar_t __c) {
  if (!__to) return 0;
  if (__c < 0 || __c > 127) __library_not_modelled("a wide character beyond ASCII is made or read");
  *__to = __c;
  return 1;
}
static inline size_t mbstowcs(wchar_t *__to, const char *__s, size_t __most) {
  size_t __n = 0;
  for (; !__to || __n < __most; __n++) {
    wchar_t __c;
    if (!mbtowc(&__c, __s + __n, 1)) {
      if (__to) __to[__n] = 0;
      return __n;
    }
    if (__to) __to[__n] = __c;
  }
  return __n;
}
static inline size_t wcstombs(char *__to, const wchar_t *__s, size_t __most) {
  size_t __n = 0;
  for (; !__to || __n < __most; __n++) {
    char __c;
    wctomb(&__c, __s[__n]);
    if (__to) __to[__n] = __c;
    if (!__s[__n]) return __n;
  }
  return __n;
}
static inline unsigned int arc4random(void) { return __VERIFIER_nondet_library_uint(); }
static inline unsigned int arc4random_uniform(unsigned int __end) { return __end ? __VERIFIER_nondet_library_uint() % __end : 0; }
static inline void arc4random_buf(void *__to, size_t __size) {
  char *__bytes = __to;
  __any_chars(__bytes, __size);
}
/* Elements of any type are exchanged byte by byte. Those that are equal stay in their order. */
#define __sort_by_size(order) \
  char *__all = __base; \
  for (size_t __n = 1; __n < __count; __n++) \
    for (size_t __at = __n; __at > 0; __at--) { \
      char *__r = __all + __at * __size, *__l = __r - __size; \
      if ((order) <= 0) break; \
      char __other[__size]; \
      __builtin_memcpy(__other, __l, __size); \
      __builtin_memcpy(__l, __r, __size); \
      __builtin_memcpy(__r, __other, __size); \
    }
static inline void qsort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *)) {
  __sort_by_size(__compare(__l, __r))
}
static inline void qsort_r(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *, void *), void *__given) {
  __sort_by_size(__compare(__l, __r, __given))
}
static inline void *bsearch(const void *__key, const void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *)) {
  size_t __from = 0, __end = __count;
  while (__from < __end) {
    size_t __middle = __from + (__end - __from) / 2;
    const char *__at = (const char *)__base + __middle * __size;
    int __order = __compare(__key, __at);
    if (__order == 0) return (void *)__at;
    if (__order < 0) __end = __middle;
    else __from = __middle + 1;
  }
  return 0;
}
#define __sort_exchange(l, r) ({ \
    __typeof__(l) __other = (l); \
    (l) = (r); \
    (r) = __other; })
#define __sort_is_array(e) !__builtin_types_compatible_p(__typeof__(e), __typeof__((0, (e))))
/* Whether a size is that of what a pointer leads to by its type. */
#define __sort_by_elements(base, size) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(*(base)), void), 0, \
  __builtin_choose_expr(__builtin_constant_p(size), (size) == sizeof *(base), 0))
#define __sort_elements(base, count, order) ({ \
    __typeof__(&*(base)) __base = (base); \
    size_t __count = (count); \
    for (size_t __n = 1; __n < __count; __n++) \
      for (size_t __at = __n; __at > 0 && (order) > 0; __at--) \
        __builtin_choose_expr(!__sort_is_array(*__base), __sort_exchange(__base[__at], __base[__at - 1]), \
        __builtin_choose_expr(__sort_is_array(**__base), __library_not_modelled("arrays of arrays are sorted here"), ({ \
          for (size_t __i = 0; __i < sizeof *__base / sizeof **__base; __i++) \
            __sort_exchange(__base[__at][__i], __base[__at - 1][__i]); }))); })
#define qsort(...) qsort(__VA_ARGS__) __builtin_by_types(__qsort_by_types(__VA_ARGS__, , , ,))
/* A null pointer as the function to call. */
#define __sort_by_null(compare) \
  (__builtin_types_compatible_p(__typeof__(compare), int) || __builtin_types_compatible_p(__typeof__(compare), void *))
#define __qsort_by_types(base, count, size, compare, ...) \
  __builtin_choose_expr(__sort_by_null(compare) || !__sort_by_elements(base, size), (qsort)(base, count, size, compare), \
    __sort_elements(base, count, (compare)(&__base[__at - 1], &__base[__at])))
#define qsort_r(...) qsort_r(__VA_ARGS__) __builtin_by_types(__qsort_r_by_types(__VA_ARGS__, , , , ,))
#define __qsort_r_by_types(base, count, size, compare, given, ...) \
  __builtin_choose_expr(__sort_by_null(compare) || !__sort_by_elements(base, size), (qsort_r)(base, count, size, compare, given), ({ \
    void *__given = (given); \
    __sort_elements(base, count, (compare)(&__base[__at - 1], &__base[__at], __given)); }))
#define bsearch(...) bsearch(__VA_ARGS__) __builtin_by_types(__bsearch_by_types(__VA_ARGS__, , , , ,))
#define __bsearch_by_types(key, base, count, size, compare, ...) \
  __builtin_choose_expr(__sort_by_null(compare) || !__sort_by_elements(base, size), (bsearch)(key, base, count, size, compare), ({ \
    __typeof__(&*(base)) __base = (base), __found = 0; \
    size_t __from = 0, __end = (count); \
    while (!__found && __from < __end) { \
      size_t __middle = __from + (__end - __from) / 2; \
      int __order = (compare)((key), &__base[__middle]); \
      if (__order == 0) __found = &__base[__middle]; \
      else if (__order < 0) __end = __middle; \
      else __from = __middle + 1; \
    } \
    (void *)__found; }))
/* Any name that fits. */
static inline char *realpath(const char *__name, char *__to) {
  if (!__name) __library_failed(22);
  if (!__name || __is_done_to(__name)) return 0;
  if (__to) {
    __any_text(__to + 1, 4095);
  } else {
    __to = malloc(4096);
    if (__to) __to[4095] = 0;
  }
  if (__to) __to[0] = '/';
  return __to;
}
/* The six `X` before so many last characters become any letters. */
static inline _Bool __name_is_made(char *__name, size_t __last) {
  size_t __n = 0;
  _Bool __right = 1;
  while (__name[__n]) __n++;
  for (size_t __at = 1; __at <= 6; __at++) __right = __right && __last + __at <= __n && __name[__n - __last - __at] == 'X';
  if (!__right) {
    __library_failed(22);
    return 0;
  }
  for (size_t __at = 1; __at <= 6; __at++)
    __name[__n - __last - __at] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[__VERIFIER_nondet_library_uchar() % 62];
  return !__fails_or_is_done();
}
static inline int mkstemps(char *__name, int __last) { return __name_is_made(__name, __last) ? 3 : -1; }
static inline int mkstemp(char *__name) { return mkstemps(__name, 0); }
static inline int mkostemp(char *__name, int __how) { return mkstemps(__name, 0); }
static inline char *mkdtemp(char *__name) { return __name_is_made(__name, 0) ? __name : 0; }
static inline char *mktemp(char *__name) {
  if (!__name_is_made(__name, 0)) __name[0] = 0;
  return __name;
}
#endif
