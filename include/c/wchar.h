/* C11 wchar.h, as far as types and plain functions go */
#ifndef _WCHAR_H
#define _WCHAR_H
#include <stddef.h>
#include <stdint.h>
typedef unsigned int wint_t;
typedef struct { int __count; wint_t __value; } mbstate_t;
#define WEOF ((wint_t)-1)
int wcscmp(const wchar_t *, const wchar_t *);
wchar_t *wcscpy(wchar_t *, const wchar_t *);
size_t wcslen(const wchar_t *);
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t wcrtomb(char *, wchar_t, mbstate_t *);
#endif
