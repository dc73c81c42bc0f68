/* C23 7.20 */
#ifndef _STDCKDINT_H
#define _STDCKDINT_H
#include <__overflow.h>
#define __STDC_VERSION_STDCKDINT_H__ 202311L
#define ckd_add(to, l, r) __builtin_add_overflow(l, r, to)
#define ckd_sub(to, l, r) __builtin_sub_overflow(l, r, to)
#define ckd_mul(to, l, r) __builtin_mul_overflow(l, r, to)
#endif
