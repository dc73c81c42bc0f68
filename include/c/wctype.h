/* C11 7.30, in the locale "C": characters beyond ASCII have no class */
#ifndef _WCTYPE_H
#define _WCTYPE_H
#include <ctype.h>
#include <wchar.h>
static inline int iswalnum(wint_t __c) { return __c < 128 && isalnum(__c); }
static inline int iswalpha(wint_t __c) { return __c < 128 && isalpha(__c); }
static inline int iswblank(wint_t __c) { return __c < 128 && isblank(__c); }
static inline int iswcntrl(wint_t __c) { return __c < 128 && iscntrl(__c); }
static inline int iswdigit(wint_t __c) { return __c < 128 && isdigit(__c); }
static inline int iswgraph(wint_t __c) { return __c < 128 && isgraph(__c); }
static inline int iswlower(wint_t __c) { return __c < 128 && islower(__c); }
static inline int iswprint(wint_t __c) { return __c < 128 && isprint(__c); }
static inline int iswpunct(wint_t __c) { return __c < 128 && ispunct(__c); }
static inline int iswspace(wint_t __c) { return __c < 128 && isspace(__c); }
static inline int iswupper(wint_t __c) { return __c < 128 && isupper(__c); }
static inline int iswxdigit(wint_t __c) { return __c < 128 && isxdigit(__c); }
static inline wint_t towlower(wint_t __c) { return __c < 128 ? tolower(__c) : __c; }
static inline wint_t towupper(wint_t __c) { return __c < 128 ? toupper(__c) : __c; }
#endif
