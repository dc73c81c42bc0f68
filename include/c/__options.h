/* The options of a program, as GNU reads them: for that, options are moved before all other arguments. */
#ifndef ___OPTIONS_H
#define ___OPTIONS_H
extern char *optarg;
extern int optind, opterr, optopt;
/* What is left of the word that is read; the arguments that were passed because they are no options; `+`, `-` or nothing. */
char *__option_rest;
int __others_from, __others_end;
char __option_order;
_Bool __options_begun;
static inline void __options_move(char **__argv) {
  for (; __others_end < optind; __others_from++, __others_end++) {
    char *__option = __argv[__others_end];
    for (int __n = __others_end; __n > __others_from; __n--) __argv[__n] = __argv[__n - 1];
    __argv[__others_from] = __option;
  }
}
static inline _Bool __is_option(const char *__word) { return __word[0] == '-' && __word[1]; }
/* Gives what `getopt` gives if no option follows, or 0. `POSIXLY_CORRECT` is no variable of the environment. */
static inline int __option_next(int __argc, char **__argv, char __order) {
  if (__argc < 1) return -1;
  optarg = 0;
  if (!optind || !__options_begun) {
    if (!optind) optind = 1;
    if (!__options_begun) optopt = 0;
    __others_from = __others_end = optind;
    __option_rest = 0;
    __option_order = __order;
    __options_begun = 1;
  }
  if (__option_rest && *__option_rest) return 0;
  if (__others_end > optind) __others_end = optind;
  if (__others_from > optind) __others_from = optind;
  if (!__option_order) {
    if (__others_from != __others_end) __options_move(__argv);
    else __others_from = optind;
    while (optind < __argc && !__is_option(__argv[optind])) optind++;
    __others_end = optind;
  }
  if (optind != __argc && __argv[optind][0] == '-' && __argv[optind][1] == '-' && !__argv[optind][2]) {
    optind++;
    if (__others_from != __others_end) __options_move(__argv);
    else __others_from = optind;
    __others_end = __argc;
    optind = __argc;
  }
  if (optind == __argc) {
    if (__others_from != __others_end) optind = __others_from;
    return -1;
  }
  if (!__is_option(__argv[optind])) {
    if (__option_order == '+') return -1;
    optarg = __argv[optind++];
    return 1;
  }
  __option_rest = __argv[optind] + 1;
  return 0;
}
static inline const char *__option_named(const char *__list, char __c) {
  while (*__list && *__list != __c) __list++;
  return *__list ? __list : 0;
}
/* What stands for an argument that is missing. */
static inline int __option_lacks(const char *__list, int __option) {
  optopt = __option;
  return *__list == ':' ? ':' : '?';
}
static inline int __option_of_letter(int __argc, char **__argv, const char *__list) {
  char __c = *__option_rest++;
  const char *__found = __option_named(__list, __c);
  if (!*__option_rest) optind++;
  if (!__found || __c == ':' || __c == ';') {
    optopt = __c;
    return '?';
  }
  if (__found[1] != ':') return __c;
  if (*__option_rest) {
    optarg = __option_rest;
    optind++;
  } else if (__found[2] != ':') {
    if (optind == __argc) __c = __option_lacks(__list, __c);
    else optarg = __argv[optind++];
  }
  __option_rest = 0;
  return __c;
}
/* The order that a list asks for, which may begin with it. */
static inline char __option_order_of(const char **__list) {
  return **__list == '-' || **__list == '+' ? *(*__list)++ : 0;
}
static inline int __option_in_list(int __argc, char **__argv, const char *__list, char __otherwise) {
  char __order = __option_order_of(&__list);
  int __none = __option_next(__argc, __argv, __order ? __order : __otherwise);
  return __none ? __none : __option_of_letter(__argc, __argv, __list);
}
#endif
