/* C11 7.11 */
#ifndef _LOCALE_H
#define _LOCALE_H
#include <features.h>
#include <stddef.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_ALL 6
char *setlocale(int, const char *);
#endif
