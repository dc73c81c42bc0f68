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
char *setlocale(int, const char *);
/* Numbers are written as in the locale "C". */
static inline struct lconv *localeconv(void) {
  static struct lconv __here = { ".", "", "", "", "", "", "", "", "", "" };
  return &__here;
}
#endif
