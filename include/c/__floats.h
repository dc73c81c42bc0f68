/* Floating numbers of 64 bits as machines compute them: rounded to the nearest, of two to the even one. Those of 32 bits are among them. */
#ifndef ___FLOATS_H
#define ___FLOATS_H
typedef unsigned long long __float_bits;
#define __FLOAT_SIGN (1ULL << 63)
#define __FLOAT_INFINITE (2047ULL << 52)
#define __FLOAT_NONE (0xfff8ULL << 48)
/* What stands for a number that is not computed, which no operation gives. */
#define __FLOAT_UNKNOWN 0x7ff8dead00000001ULL
void __library_not_modelled(const char *);
struct __float_parts { __float_bits __m; int __e; };
static inline int __float_is_none(__float_bits __a) { return (__a & ~__FLOAT_SIGN) > __FLOAT_INFINITE; }
static inline int __float_is_infinite(__float_bits __a) { return (__a & ~__FLOAT_SIGN) == __FLOAT_INFINITE; }
/* What is no number stays so, with its sign; of two it is the first one. */
static inline __float_bits __float_passed(__float_bits __a, __float_bits __b) {
  return (__float_is_none(__a) ? __a : __b) | 1ULL << 51;
}
/* `__m * 2^__e` with a sign, where the lowest bit says whether there is anything below it. */
static inline __float_bits __float_made(__float_bits __sign, __float_bits __m, int __e) {
  if (!__m) return __sign;
  if (__m >> 63) {
    __m = __m >> 1 | __m & 1;
    __e++;
  } else if (!(__m >> 62)) {
    int __up = __builtin_clzll(__m) - 1;
    __m = __m << __up;
    __e = __e - __up;
  }
  int __biased = __e + 1085, __shift = 10;
  if (__biased >= 2047) return __sign | __FLOAT_INFINITE;
  if (__biased <= 0) {
    __shift = __shift + 1 - __biased;
    __biased = 0;
    if (__shift > 63) return __sign;
  }
  __float_bits __rest = __m & ((1ULL << __shift) - 1), __half = 1ULL << (__shift - 1), __q = __m >> __shift;
  __q = __q + (__rest > __half | __rest == __half & (int)(__q & 1));
  return __sign | __q + ((__float_bits)(__biased - (__biased > 0)) << 52);
}
/* A number that is not zero, with 53 bits. */
static inline struct __float_parts __float_parts(__float_bits __a) {
  struct __float_parts __p = {__a & ((1ULL << 52) - 1), (int)(__a >> 52 & 2047) - 1075};
  if (__p.__e > -1075) {
    __p.__m = __p.__m | 1ULL << 52;
    return __p;
  }
  int __up = __builtin_clzll(__p.__m) - 11;
  __p.__m = __p.__m << __up;
  __p.__e = -1074 - __up;
  return __p;
}
static inline __float_bits __float_add(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  if (__float_is_infinite(__a)) return __float_is_infinite(__b) && __a != __b ? __FLOAT_NONE : __a;
  if (__float_is_infinite(__b)) return __b;
  if (!(__a << 1)) return __b << 1 ? __b : __a & __b;
  if (!(__b << 1)) return __a;
  struct __float_parts __l = __float_parts(__a), __r = __float_parts(__b);
  if (__l.__e < __r.__e) {
    struct __float_parts __other = __l;
    __float_bits __bits = __a;
    __l = __r;
    __r = __other;
    __a = __b;
    __b = __bits;
  }
  __l.__m = __l.__m << 9;
  __r.__m = __r.__m << 9;
  int __apart = __l.__e - __r.__e;
  if (__apart > 62) __r.__m = 1;
  else if (__apart) __r.__m = __r.__m >> __apart | ((__r.__m & ((1ULL << __apart) - 1)) != 0);
  __float_bits __sign = __a & __FLOAT_SIGN;
  if (__sign == (__b & __FLOAT_SIGN)) return __float_made(__sign, __l.__m + __r.__m, __l.__e - 9);
  if (__l.__m == __r.__m) return 0;
  if (__l.__m > __r.__m) return __float_made(__sign, __l.__m - __r.__m, __l.__e - 9);
  return __float_made(__b & __FLOAT_SIGN, __r.__m - __l.__m, __l.__e - 9);
}
static inline __float_bits __float_subtract(__float_bits __a, __float_bits __b) {
  return __float_add(__a, __float_is_none(__b) ? __b : __b ^ __FLOAT_SIGN);
}
static inline __float_bits __float_multiply(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  __float_bits __sign = (__a ^ __b) & __FLOAT_SIGN;
  int __none = !(__a << 1) || !(__b << 1);
  if (__float_is_infinite(__a) || __float_is_infinite(__b)) return __none ? __FLOAT_NONE : __sign | __FLOAT_INFINITE;
  if (__none) return __sign;
  struct __float_parts __l = __float_parts(__a), __r = __float_parts(__b);
  __float_bits __mask = (1ULL << 27) - 1;
  __float_bits __lh = __l.__m >> 27, __ll = __l.__m & __mask, __rh = __r.__m >> 27, __rl = __r.__m & __mask;
  __float_bits __middle = __lh * __rl + __ll * __rh;
  __float_bits __low = __ll * __rl + ((__middle & __mask) << 27);
  __float_bits __high = __lh * __rh + (__middle >> 27) + (__low >> 54);
  __low = __low & ((1ULL << 54) - 1);
  __float_bits __m = __high << 10 | __low >> 44 | ((__low & ((1ULL << 44) - 1)) != 0);
  return __float_made(__sign, __m, __l.__e + __r.__e + 44);
}
static inline __float_bits __float_divide(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  __float_bits __sign = (__a ^ __b) & __FLOAT_SIGN;
  if (__float_is_infinite(__a)) return __float_is_infinite(__b) ? __FLOAT_NONE : __sign | __FLOAT_INFINITE;
  if (__float_is_infinite(__b)) return __sign;
  if (!(__b << 1)) return __a << 1 ? __sign | __FLOAT_INFINITE : __FLOAT_NONE;
  if (!(__a << 1)) return __sign;
  struct __float_parts __l = __float_parts(__a), __r = __float_parts(__b);
  int __less = __l.__m < __r.__m;
  __float_bits __q = 1, __rest = (__l.__m << __less) - __r.__m;
  /* No loop: a search with terms would stop unrolling it. */
#define __FLOAT_DIGITS __rest = __rest << 11, __q = __q << 11 | __rest / __r.__m, __rest = __rest % __r.__m
  __FLOAT_DIGITS, __FLOAT_DIGITS, __FLOAT_DIGITS, __FLOAT_DIGITS, __FLOAT_DIGITS;
#undef __FLOAT_DIGITS
  return __float_made(__sign, (__q << 1 | (__rest != 0)) << 6, __l.__e - __r.__e - 62 - __less);
}
/* The nearest number of 32 bits. */
static inline __float_bits __float_short(__float_bits __a) {
  if (__a == __FLOAT_UNKNOWN || __float_is_none(__a) || __float_is_infinite(__a) || !(__a << 1)) return __a;
  struct __float_parts __p = __float_parts(__a);
  int __shift = 29;
  if (__p.__e + 52 < -126) __shift = __shift - 126 - (__p.__e + 52);
  __float_bits __sign = __a & __FLOAT_SIGN;
  if (__shift > 53) return __sign;
  __float_bits __rest = __p.__m & ((1ULL << __shift) - 1), __half = 1ULL << (__shift - 1), __q = __p.__m >> __shift;
  __q = __q + (__rest > __half | __rest == __half & (int)(__q & 1));
  __float_bits __short = __float_made(__sign, __q, __p.__e + __shift);
  return (__short & ~__FLOAT_SIGN) >= 1151ULL << 52 ? __sign | __FLOAT_INFINITE : __short;
}
/* Its bits as one of 32 bits, where it is one, and back. */
static inline unsigned __float_in_32(__float_bits __a) {
  unsigned __sign = __a >> 63 << 31;
  int __e = (int)(__a >> 52 & 2047) - 896;
  if (__float_is_none(__a) || __float_is_infinite(__a)) return __sign | 255u << 23 | (unsigned)(__a >> 29) & 0x7fffffu;
  if (__e > 0) return __sign | (unsigned)__e << 23 | (unsigned)(__a >> 29) & 0x7fffffu;
  if (__e < -23) return __sign;
  return __sign | (unsigned)(((__a & ((1ULL << 52) - 1)) | 1ULL << 52) >> (30 - __e));
}
static inline __float_bits __float_from_32(unsigned __a) {
  __float_bits __sign = (__float_bits)(__a >> 31) << 63, __m = __a & 0x7fffffu;
  unsigned __e = __a >> 23 & 255;
  if (__e == 255) return __sign | __FLOAT_INFINITE | __m << 29;
  return __e ? __sign | (__float_bits)(__e + 896) << 52 | __m << 29 : __float_made(__sign, __m, -149);
}
static inline __float_bits __float_of(__float_bits __m, int __below, int __short) {
  /* Rounded once: to the short one, for which the lowest bit says whether there is anything below it. */
  int __far = __short && __m >> 53;
  if (__far) __m = __m >> 11 | ((__m & 2047) != 0);
  int __e = __far ? 11 : 0;
  /* By branches: a search with terms then knows the exponent of what comes out. */
#define __FLOAT_UP(by) if (!(__m >> 63 - by)) __m = __m << by, __e = __e - by;
  if (__m) {
    __FLOAT_UP(32) __FLOAT_UP(16) __FLOAT_UP(8) __FLOAT_UP(4) __FLOAT_UP(2) __FLOAT_UP(1)
  }
#undef __FLOAT_UP
  __float_bits __a = __float_made(__below ? __FLOAT_SIGN : 0, __m, __e);
  return __short ? __float_short(__a) : __a;
}
/* The caller has seen that what decides is computed. */
static inline int __float_equal(__float_bits __a, __float_bits __b) {
  if (__float_is_none(__a) || __float_is_none(__b)) return 0;
  return __a == __b || !((__a | __b) << 1);
}
static inline int __float_less(__float_bits __a, __float_bits __b) {
  if (__float_is_none(__a) || __float_is_none(__b) || !((__a | __b) << 1)) return 0;
  __float_bits __l = __a & __FLOAT_SIGN ? ~__a : __a | __FLOAT_SIGN, __r = __b & __FLOAT_SIGN ? ~__b : __b | __FLOAT_SIGN;
  return __l < __r;
}
/* As an integer of so many bits, without the fraction. */
static inline __float_bits __float_whole(__float_bits __a, int __bits, int __minus) {
  if (!(__a << 1)) return 0;
  int __below = __a >> 63 != 0, __outside = __float_is_none(__a) || __float_is_infinite(__a);
  struct __float_parts __p = {0, 0};
  if (!__outside) __p = __float_parts(__a);
  __float_bits __n = 0, __most = __minus ? (1ULL << (__bits - 1)) - !__below : __bits == 64 ? ~0ULL : (1ULL << __bits) - 1;
  if (__p.__e > 11) __outside = 1;
  else if (__p.__e >= 0) __n = __p.__m << __p.__e;
  else if (__p.__e > -64) __n = __p.__m >> -__p.__e;
  if (__outside || __n > __most || !__minus && __below && __n) __library_not_modelled("a floating number becomes an integer that does not hold it");
  return __below ? -__n : __n;
}
/* Functions of <math.h>. What is not computed stays so. */
static inline __float_bits __math_fabs(__float_bits __a) { return __a == __FLOAT_UNKNOWN ? __a : __a & ~__FLOAT_SIGN; }
static inline __float_bits __math_copysign(__float_bits __a, __float_bits __b) {
  return __a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN ? __FLOAT_UNKNOWN : __a & ~__FLOAT_SIGN | __b & __FLOAT_SIGN;
}
static inline __float_bits __math_trunc(__float_bits __a) {
  int __e = (int)(__a >> 52 & 2047) - 1023;
  if (__a == __FLOAT_UNKNOWN || __e >= 52) return __a;
  return __e < 0 ? __a & __FLOAT_SIGN : __a & ~((1ULL << (52 - __e)) - 1);
}
/* One more than a whole number, away from zero. */
static inline __float_bits __float_next(__float_bits __a) { return __float_add(__a, __a & __FLOAT_SIGN | 1023ULL << 52); }
static inline __float_bits __math_floor(__float_bits __a) {
  __float_bits __t = __math_trunc(__a);
  return __t != __a && __a >> 63 ? __float_next(__t) : __t;
}
static inline __float_bits __math_ceil(__float_bits __a) {
  __float_bits __t = __math_trunc(__a);
  return __t != __a && !(__a >> 63) ? __float_next(__t) : __t;
}
static inline __float_bits __math_round(__float_bits __a) {
  __float_bits __t = __math_trunc(__a);
  if (__t == __a) return __a;
  return __math_fabs(__float_subtract(__a, __t)) < 1022ULL << 52 ? __t : __float_next(__t);
}
static inline __float_bits __math_rint(__float_bits __a) {
  if (__math_trunc(__a) == __a) return __a;
  __float_bits __large = __a & __FLOAT_SIGN | 1075ULL << 52;
  return __float_subtract(__float_add(__a, __large), __large) | __a & __FLOAT_SIGN;
}
static inline __float_bits __math_nearbyint(__float_bits __a) { return __math_rint(__a); }
static inline __float_bits __math_sqrt(__float_bits __a) {
  if (__a == __FLOAT_UNKNOWN || !(__a << 1)) return __a;
  if (__float_is_none(__a)) return __float_passed(__a, __a);
  if (__a >> 63) return __FLOAT_NONE;
  if (__float_is_infinite(__a)) return __a;
  struct __float_parts __p = __float_parts(__a);
  if (__p.__e & 1) {
    __p.__m = __p.__m << 1;
    __p.__e--;
  }
  __float_bits __root = 0, __rest = 0;
  for (int __n = 0; __n < 54; __n++) {
    __rest = __rest << 2 | __p.__m >> 52 & 3;
    __p.__m = __p.__m << 2 & (1ULL << 54) - 1;
    __float_bits __one = __root << 2 | 1;
    __root = __root << 1;
    __float_bits __fits = __rest >= __one;
    __rest = __rest - __one * __fits;
    __root = __root | __fits;
  }
  return __float_made(0, __root << 1 | (__rest != 0), (__p.__e - 56) / 2);
}
static inline __float_bits __math_fmod(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  if (__float_is_infinite(__a) || !(__b << 1)) return __FLOAT_NONE;
  if (__float_is_infinite(__b) || !(__a << 1)) return __a;
  struct __float_parts __l = __float_parts(__a), __r = __float_parts(__b);
  if (__l.__e < __r.__e) return __a;
  __l.__m = __l.__m % __r.__m;
  for (int __n = 0; __n < 210 && __l.__e > __r.__e; __n++) {
    int __shift = __l.__e - __r.__e < 10 ? __l.__e - __r.__e : 10;
    __l.__m = (__l.__m << __shift) % __r.__m;
    __l.__e = __l.__e - __shift;
  }
  return __float_made(__a & __FLOAT_SIGN, __l.__m, __l.__e);
}
/* The rest that is nearest to zero, of two the one of an even quotient; and the last digits of that quotient. */
struct __float_rest { __float_bits __rest; unsigned __quotient; };
static inline struct __float_rest __float_rest(__float_bits __a, __float_bits __b) {
  struct __float_rest __found = {__a, 0};
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) __found.__rest = __FLOAT_UNKNOWN;
  else if (__float_is_none(__a) || __float_is_none(__b)) __found.__rest = __float_passed(__a, __b);
  else if (__float_is_infinite(__a) || !(__b << 1)) __found.__rest = __FLOAT_NONE;
  else if (!__float_is_infinite(__b) && __a << 1) {
    struct __float_parts __l = __float_parts(__a), __r = __float_parts(__b);
    __float_bits __sign = __a & __FLOAT_SIGN;
    if (__l.__e + 1 < __r.__e) return __found;
    if (__l.__e < __r.__e) {
      __r.__m = __r.__m << 1;
      __r.__e--;
    }
    __found.__quotient = __l.__m / __r.__m;
    __l.__m = __l.__m % __r.__m;
    for (int __n = 0; __n < 2100 && __l.__e > __r.__e; __n++) {
      int __one = __l.__m << 1 >= __r.__m;
      __l.__m = (__l.__m << 1) - (__one ? __r.__m : 0);
      __found.__quotient = __found.__quotient << 1 | __one;
      __l.__e--;
    }
    __float_bits __twice = __l.__m << 1;
    if (__twice > __r.__m || __twice == __r.__m && (__found.__quotient & 1)) {
      __l.__m = __r.__m - __l.__m;
      __sign = __sign ^ __FLOAT_SIGN;
      __found.__quotient = (__found.__quotient & 7) + 1;
    } else
      __found.__quotient = __found.__quotient & 7;
    __found.__rest = __l.__m ? __float_made(__sign, __l.__m, __r.__e) : __a & __FLOAT_SIGN;
  }
  return __found;
}
static inline __float_bits __math_remainder(__float_bits __a, __float_bits __b) { return __float_rest(__a, __b).__rest; }
static inline __float_bits __math_drem(__float_bits __a, __float_bits __b) { return __float_rest(__a, __b).__rest; }
/* The exponent. */
static inline __float_bits __math_logb(__float_bits __a) {
  if (__a == __FLOAT_UNKNOWN) return __a;
  if (__float_is_none(__a)) return __float_passed(__a, __a);
  if (__float_is_infinite(__a)) return __FLOAT_INFINITE;
  if (!(__a << 1)) return __FLOAT_SIGN | __FLOAT_INFINITE;
  int __e = __float_parts(__a).__e + 52;
  return __float_of(__e < 0 ? -__e : __e, __e < 0, 0);
}
static inline __float_bits __math_nextafter(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  if (__float_equal(__a, __b)) return __b;
  if (!(__a << 1)) return __b & __FLOAT_SIGN | 1;
  return __float_less(__a, __b) == (__a >> 63 == 0) ? __a + 1 : __a - 1;
}
static inline __float_bits __math_fmin(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  return __float_is_none(__b) || __float_less(__a, __b) ? __a : __b;
}
static inline __float_bits __math_fmax(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  return __float_is_none(__b) || __float_less(__b, __a) ? __a : __b;
}
static inline __float_bits __math_fdim(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (__float_is_none(__a) || __float_is_none(__b)) return __float_passed(__a, __b);
  return __float_less(__b, __a) ? __float_subtract(__a, __b) : 0;
}
/* Where the result has no more digits than a number holds: every library gives that one. */
static inline __float_bits __math_pow(__float_bits __a, __float_bits __b) {
  if (__a == __FLOAT_UNKNOWN || __b == __FLOAT_UNKNOWN) return __FLOAT_UNKNOWN;
  if (!(__b << 1) || __a == 1023ULL << 52) return 1023ULL << 52;
  int __unusual = __float_is_none(__a) || __float_is_infinite(__a) || !(__a << 1) || __math_fabs(__b) > 1033ULL << 52;
  if (__unusual || __math_trunc(__b) != __b) return __FLOAT_UNKNOWN;
  struct __float_parts __p = __float_parts(__a), __q = __float_parts(__b);
  int __times = (int)(__q.__m >> -__q.__e);
  for (int __n = 0; __n < 52 && !(__p.__m & 1); __n++) {
    __p.__m = __p.__m >> 1;
    __p.__e++;
  }
  if (__p.__m != 1 && (__b >> 63 || __times > 33)) return __FLOAT_UNKNOWN;
  __float_bits __m = 1;
  for (int __n = 0; __p.__m != 1 && __n < __times; __n++) {
    if (__m >= (1ULL << 53) / __p.__m) return __FLOAT_UNKNOWN;
    __m = __m * __p.__m;
  }
  return __float_made(__times & 1 ? __a & __FLOAT_SIGN : 0, __m, (__b >> 63 ? -__times : __times) * __p.__e);
}
#define __builtin_isnan(x) ({ __typeof__(x) __isnan_x = (x); __isnan_x != __isnan_x; })
#define __builtin_isfinite(x) ({ __typeof__(x) __isfinite_x = (x); __isfinite_x - __isfinite_x == 0; })
#define __builtin_isinf(x) ({ __typeof__(x) __isinf_x = (x); __isinf_x == __isinf_x && __isinf_x - __isinf_x != 0 ? __isinf_x > 0 ? 1 : -1 : 0; })
static inline int __float_is_below(double __number) {
  union { double __number; __float_bits __bits; } __a = {__number};
  return (int)(__a.__bits >> 63);
}
#define __builtin_signbit(x) __float_is_below(x)
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x) ({ \
  __typeof__(x) __class_x = (x); \
  __class_x != __class_x ? (nan) : __class_x - __class_x != 0 ? (infinite) : __class_x == 0 ? (zero) : \
  (__class_x < 0 ? -__class_x : __class_x) < (sizeof __class_x == 4 ? 0x1p-126 : 0x1p-1022) ? (subnormal) : (normal); })
#define __builtin_isnormal(x) __builtin_fpclassify(0, 0, 1, 0, 0, x)
/* Copies of numbers from and to integers go through these. */
static inline unsigned long long __bits_of_double(double __x) {
  union { double __x; unsigned long long __bits; } __both = {__x};
  return __both.__bits;
}
static inline double __double_of_bits(unsigned long long __bits) {
  union { unsigned long long __bits; double __x; } __both = {__bits};
  return __both.__x;
}
static inline unsigned __bits_of_float(float __x) {
  union { float __x; unsigned __bits; } __both = {__x};
  return __both.__bits;
}
static inline float __float_of_bits(unsigned __bits) {
  union { unsigned __bits; float __x; } __both = {__bits};
  return __both.__x;
}
#endif
