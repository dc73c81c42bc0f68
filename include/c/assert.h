/* C11 7.2; may be included again, with or without NDEBUG */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#define static_assert _Static_assert
#ifndef _ASSERT_H
#define _ASSERT_H
#include <features.h>
void __assert_fail(const char *, const char *, unsigned int, const char *);
#endif
