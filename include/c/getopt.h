/* getopt_long of GNU */
#ifndef _GETOPT_H
#define _GETOPT_H
#include <unistd.h>
struct option { const char *name; int has_arg; int *flag; int val; };
#define no_argument 0
#define required_argument 1
#define optional_argument 2
/* Whether a name begins with so many characters of a word. */
static inline _Bool __option_begins(const char *__name, const char *__word, int __n) {
  for (int __at = 0; __at < __n; __at++)
    if (__name[__at] != __word[__at]) return 0;
  return 1;
}
/* Where the option is that a word names, also by the beginning of its name; -1 if there is none, -2 if there are several. */
static inline int __option_at(const struct option *__all, const char *__word, int __n, _Bool __only) {
  int __found = -1, __several = 0;
  for (int __at = 0; __all[__at].name; __at++) {
    if (!__option_begins(__all[__at].name, __word, __n)) continue;
    if (!__all[__at].name[__n]) return __at;
    if (__found < 0) __found = __at;
    else if (__only || __all[__found].has_arg != __all[__at].has_arg || __all[__found].flag != __all[__at].flag || __all[__found].val != __all[__at].val)
      __several = 1;
  }
  return __several ? -2 : __found;
}
/* The option that `__option_rest` names; -1 if it is one of letters. */
static inline int __option_of_name(int __argc, char **__argv, const char *__list, const struct option *__all, int *__at, _Bool __only) {
  int __n = 0;
  while (__option_rest[__n] && __option_rest[__n] != '=') __n++;
  int __found = __option_at(__all, __option_rest, __n, __only);
  if (__found == -1 && __only && __argv[optind][1] != '-' && __option_named(__list, *__option_rest)) return -1;
  char *__given = __option_rest[__n] ? __option_rest + __n + 1 : 0;
  optind++;
  __option_rest = 0;
  if (__found < 0) {
    optopt = 0;
    return '?';
  }
  const struct option *__own = &__all[__found];
  if (__given && !__own->has_arg) {
    optopt = __own->val;
    return '?';
  }
  if (!__given && __own->has_arg == required_argument) {
    if (optind >= __argc) return __option_lacks(__list, __own->val);
    __given = __argv[optind++];
  }
  if (__given) optarg = __given;
  if (__at) *__at = __found;
  if (!__own->flag) return __own->val;
  *__own->flag = __own->val;
  return 0;
}
static inline int __option_any(int __argc, char *const *__words, const char *__list, const struct option *__all, int *__at, _Bool __only) {
  char **__argv = (char **)__words, __order = __option_order_of(&__list);
  for (const char *__c = __list; *__c; __c++)
    if (__c[0] == 'W' && __c[1] == ';') __library_not_modelled("`W;` in a list of options");
  _Bool __within = __option_rest && *__option_rest && optind && __options_begun;
  int __none = __option_next(__argc, __argv, __order);
  if (__none) return __none;
  char *__word = __argv[optind];
  if (!__within && __all && __word[1] == '-') {
    __option_rest = __word + 2;
    return __option_of_name(__argc, __argv, __list, __all, __at, __only);
  }
  if (!__within && __all && __only && (__word[2] || !__option_named(__list, __word[1]))) {
    int __found = __option_of_name(__argc, __argv, __list, __all, __at, 1);
    if (__found != -1) return __found;
  }
  return __option_of_letter(__argc, __argv, __list);
}
static inline int getopt_long(int __argc, char *const *__argv, const char *__list, const struct option *__all, int *__at) {
  return __option_any(__argc, __argv, __list, __all, __at, 0);
}
static inline int getopt_long_only(int __argc, char *const *__argv, const char *__list, const struct option *__all, int *__at) {
  return __option_any(__argc, __argv, __list, __all, __at, 1);
}
#endif
