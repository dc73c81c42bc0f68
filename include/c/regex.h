/* POSIX regex.h */
#ifndef _REGEX_H
#define _REGEX_H
#include <sys/types.h>
#include <__system.h>
typedef struct { size_t re_nsub; int __how; } regex_t;
typedef int regoff_t;
typedef struct { regoff_t rm_so, rm_eo; } regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ESPACE 12
/* Any pattern may be wrong, and any text may match. Where it does is any place. */
static inline int regcomp(regex_t *__r, const char *__pattern, int __how) {
  size_t __groups = 0;
  for (; *__pattern; __pattern++) __groups += *__pattern == '(' && __VERIFIER_nondet_library_bool();
  __r->re_nsub = __groups;
  __r->__how = __how;
  return __VERIFIER_nondet_library_bool() ? 1 + __VERIFIER_nondet_library_uchar() % 13 : 0;
}
static inline int regexec(const regex_t *__r, const char *__s, size_t __count, regmatch_t *__to, int __how) {
  regoff_t __length = 0;
  size_t __groups = __r->re_nsub;
  while (__s[__length]) __length++;
  if (__VERIFIER_nondet_library_bool()) return REG_NOMATCH;
  for (size_t __n = 0; __n < __count && !(__r->__how & REG_NOSUB); __n++) {
    regoff_t __from = __VERIFIER_nondet_library_int() & 0x7fffffff, __end = __VERIFIER_nondet_library_int() & 0x7fffffff;
    _Bool __none = __n > __groups || __n > 0 && (__from > __end || __end > __length);
    if (__from > __length) __from = 0;
    if (__end > __length || __end < __from) __end = __length;
    __to[__n].rm_so = __none ? -1 : __from;
    __to[__n].rm_eo = __none ? -1 : __end;
  }
  return 0;
}
static inline size_t regerror(int __e, const regex_t *__r, char *__to, size_t __size) {
  if (__size) __any_text(__to, __size);
  return 1 + __VERIFIER_nondet_library_uchar();
}
static inline void regfree(regex_t *__r) { __r->re_nsub = 0; }
#endif
