/* C11 7.19 */
#ifndef _STDDEF_H
#define _STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long __whole; long double __fraction; } max_align_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#if __STDC_VERSION__ > 201710L
typedef __typeof__(nullptr) nullptr_t;
#define unreachable() __builtin_unreachable()
#endif
#endif
