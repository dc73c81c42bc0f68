/* C11 7.12 */
#ifndef _MATH_H
#define _MATH_H
#include <features.h>
#include <__floats.h>
#define HUGE_VAL (1.0 / 0.0)
#define INFINITY (1.0f / 0.0f)
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_SQRT2 1.41421356237309504880
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) ({ __typeof__((x) + (y)) __l = (x), __r = (y); __l < __r || __l > __r; })
#define isunordered(x, y) ({ __typeof__((x) + (y)) __l = (x), __r = (y); __l != __l || __r != __r; })
#define __REAL_1(name) double name(double); float name##f(float); long double name##l(long double)
#define __REAL_2(name) double name(double, double); float name##f(float, float); long double name##l(long double, long double)
__REAL_1(acos); __REAL_1(asin); __REAL_1(atan); __REAL_1(cos); __REAL_1(sin); __REAL_1(tan);
__REAL_1(acosh); __REAL_1(asinh); __REAL_1(atanh); __REAL_1(cosh); __REAL_1(sinh); __REAL_1(tanh);
__REAL_1(exp); __REAL_1(exp2); __REAL_1(expm1); __REAL_1(log); __REAL_1(log10); __REAL_1(log1p); __REAL_1(log2);
__REAL_1(exp10); __REAL_1(logb);
__REAL_1(cbrt); __REAL_1(fabs); __REAL_1(sqrt); __REAL_1(erf); __REAL_1(lgamma); __REAL_1(tgamma);
__REAL_1(ceil); __REAL_1(floor); __REAL_1(nearbyint); __REAL_1(rint); __REAL_1(round); __REAL_1(trunc);
__REAL_2(atan2); __REAL_2(hypot); __REAL_2(pow); __REAL_2(fmod); __REAL_2(remainder); __REAL_2(copysign);
__REAL_2(fdim); __REAL_2(fmax); __REAL_2(fmin); __REAL_2(drem);
double nextafter(double, double);
long double nextafterl(long double, long double);
double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
#define nan(text) __builtin_nan(text)
#define nanf(text) __builtin_nanf(text)
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
static inline int ilogb(double __x) {
  return __x == 0 || __x != __x ? FP_ILOGB0 : isinf(__x) ? 2147483647 : (int)logb(__x);
}
static inline int ilogbf(float __x) { return ilogb(__x); }
/* Rounded once: a part of the way is a power that rounds nothing, or gives zero or what is infinite. */
static inline double scalbln(double __x, long __by) {
  union { __float_bits __bits; double __number; } __power;
  for (int __n = 0; __n < 2 && __by > 1023; __n++) {
    __x *= 0x1p1023;
    __by -= 1023;
  }
  for (int __n = 0; __n < 2 && __by < -1022; __n++) {
    __x *= 0x1p-969;
    __by += 969;
  }
  __by = __by > 1023 ? 1023 : __by < -1022 ? -1022 : __by;
  __power.__bits = (__float_bits)(__by + 1023) << 52;
  return __x * __power.__number;
}
static inline double scalbn(double __x, int __by) { return scalbln(__x, __by); }
static inline double ldexp(double __x, int __by) { return scalbln(__x, __by); }
long double ldexpl(long double, int);
/* A number of 32 bits loses digits only at the end. */
static inline float scalblnf(float __x, long __by) { return (float)scalbln(__x, __by < -300 ? -300 : __by); }
static inline float scalbnf(float __x, int __by) { return scalblnf(__x, __by); }
static inline float ldexpf(float __x, int __by) { return scalblnf(__x, __by); }
static inline float nextafterf(float __x, float __to) {
  union { float __number; unsigned __bits; } __own = {__x};
  if (__x != __x || __to != __to) return __x + __to;
  if (__x == __to) return __to;
  if (__x == 0) __own.__bits = (__to < 0 ? 1u << 31 : 0) | 1;
  else __own.__bits += (__x < __to) == (__x > 0) ? 1 : -1;
  return __own.__number;
}
static inline double remquo(double __x, double __y, int *__quotient) {
  union { double __number; __float_bits __bits; } __l = {__x}, __r = {__y};
  struct __float_rest __found = __float_rest(__l.__bits, __r.__bits);
  if (__x - __x == 0 && __y == __y && __y != 0) *__quotient = signbit(__x) != signbit(__y) ? -(int)__found.__quotient : (int)__found.__quotient;
  return remainder(__x, __y);
}
static inline float remquof(float __x, float __y, int *__quotient) { return (float)remquo(__x, __y, __quotient); }
static inline double frexp(double __x, int *__by) {
  *__by = 0;
  if (!isfinite(__x) || __x == 0) return __x;
  for (; fabs(__x) >= 1; __x /= 2) ++*__by;
  for (; fabs(__x) < 0.5; __x *= 2) --*__by;
  return __x;
}
static inline float frexpf(float __x, int *__by) { return (float)frexp(__x, __by); }
static inline double modf(double __x, double *__whole) {
  *__whole = trunc(__x);
  return isinf(__x) ? copysign(0.0, __x) : copysign(__x - *__whole, __x);
}
static inline float modff(float __x, float *__whole) {
  *__whole = truncf(__x);
  return isinf(__x) ? copysignf(0.0f, __x) : copysignf(__x - *__whole, __x);
}
#define lround(x) ((long)round(x))
#define lrint(x) ((long)rint(x))
#define llround(x) ((long long)round(x))
#define llrint(x) ((long long)rint(x))
#define lroundf(x) ((long)roundf(x))
#define lrintf(x) ((long)rintf(x))
#define llroundf(x) ((long long)roundf(x))
#define llrintf(x) ((long long)rintf(x))
#undef __REAL_1
#undef __REAL_2
#endif
