// `NAN` has no sign, an invalid operation gives one unless it is a constant, and what is no number keeps its own.
// verdict: safe
#include <assert.h>
#include <math.h>

static double constant = NAN, minus = -NAN, invalid = 0.0 / 0.0;

int main(void) {
  double b = NAN, zero = 0;
  float f = b;
  assert(!signbit(b) && !signbit(f) && !signbit(constant) && signbit(minus) && !signbit(invalid));
  assert(copysignf(2.f, f) == 2.f && signbit(zero / zero) && signbit(sqrt(-1)) && !signbit(sqrt(b)));
  assert(!signbit(b + 1) && !signbit(1 - b) && signbit(1 - minus) && signbit(minus * -3) && !signbit(b / zero));
  assert(isinf(__builtin_inf()) && __builtin_huge_val() > 1e308 && isnan(__builtin_nan("")));
}
