// Functions of numbers that round nothing, or once.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
int main(void) {
  int n;
  float f;
  double d;
  assert(logb(10) == 3 && logb(0x1p-1074) == -1074 && logb(0) == -INFINITY && logb(-INFINITY) == INFINITY && logbf(0.25f) == -2);
  assert(ilogb(-10) == 3 && ilogb(0) == FP_ILOGB0 && ilogb(NAN) == FP_ILOGBNAN && ilogb(INFINITY) == 2147483647 && ilogbf(0x1p-149f) == -149);
  assert(ldexp(3, 4) == 48 && ldexp(1, -1074) == 0x1p-1074 && ldexp(0x1.8p0, -1075) == 0x1p-1074 && ldexp(1, 5000) == INFINITY);
  assert(ldexp(0x1p-1074, 2000) == 0x1p926 && ldexp(-3, -5000) == 0 && signbit(ldexp(-3, -5000)) && scalbln(1, -1000000L) == 0);
  assert(scalbn(0x1.00000000000018p0, -1024) == 0x1p-1024 && scalbnf(1, -149) == 0x1p-149f && ldexpf(1, 128) == INFINITY && scalblnf(3, -1L) == 1.5f);
  assert(nextafter(1, 2) == 1 + 0x1p-52 && nextafter(1, 0) == 1 - 0x1p-53 && nextafter(0, -1) == -0x1p-1074 && nextafter(-1, 5) == -1 + 0x1p-53);
  assert(nextafterf(1, 2) == 1 + 0x1p-23f && nextafterf(0, 1) == 0x1p-149f && nextafterf(0x1.fffffep127f, INFINITY) == INFINITY);
  assert(remainder(5, 3) == -1 && remainder(7.5, 1) == -0.5 && remainder(-6, 4) == 2 && isnan(remainder(1, 0)) && remainder(1, INFINITY) == 1);
  assert(remquo(-29, 3, &n) == 1 && (n & 7) == (-10 & 7) && n < 0 && remquo(7, 2, &n) == -1 && n == 4 && remquof(9, 4, &n) == 1 && n == 2);
  assert(frexp(-10, &n) == -0.625 && n == 4 && frexpf(0.75f, &n) == 0.75f && n == 0 && modf(-2.5, &d) == -0.5 && d == -2 && modff(2.25f, &f) == 0.25f);
  assert(isnan(nan("")) && isnan(nanf("")));
  return 0;
}
