/* C11 7.11 */
#ifndef _LOCALE_H
#define _LOCALE_H
#include <features.h>
#include <stddef.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
  char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
};
/* The locale is always "C", which a verdict says. That of the environment may be another one, or none that is known. */
_Bool __VERIFIER_nondet_library_bool(void);
static inline _Bool __is_named(const char *__name, const char *__other) {
  while (*__name && *__name == *__other) __name++, __other++;
  return *__name == *__other;
}
static inline char *setlocale(int __part, const char *__name) {
  if (__name && !*__name && __VERIFIER_nondet_library_bool()) return 0;
  if (__name && *__name && !__is_named(__name, "C") && !__is_named(__name, "POSIX")) return 0;
  return (char *)"C";
}
static inline struct lconv *localeconv(void) {
  static struct lconv __here = { ".", "", "", "", "", "", "", "", "", "" };
  return &__here;
}
#endif
