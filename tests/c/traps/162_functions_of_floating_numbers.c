// Functions of <math.h> that every library computes alike are computed.
// verdict: safe
#include <math.h>
#include <assert.h>
#include <stdio.h>
double grid(double x, double y) { return sqrt(x * x + y * y); }
int main(void) {
  assert(grid(3, 4) == 5);
  assert(sqrtf(2.0f) == 1.41421354f);
  assert(floorf(-1.5f) == -2 && ceilf(1.2f) == 2 && fabsf(-3.0f) == 3);
  assert(fmodf(5.5f, 2) == 1.5f);
  assert(lround(2.5) == 3 && lrint(2.5) == 2 && llround(-2.5) == -3);
  assert(isgreater(2.0, 1.0) && !isless(NAN, 1.0) && isunordered(NAN, 1.0) && islessgreater(1.0, 2.0));
  assert(pow(2, 10) == 1024 && (int)pow(10, 3) == 1000);
  assert(isnormal(1e-40f) == 0 && fpclassify(1e-40f) == FP_SUBNORMAL && isnormal(1e-40));
  double a[3] = {1.5, -2, 7};
  double most = a[0];
  for (int i = 0; i < 3; i++) most = fmax(most, a[i]);
  printf("%f %f\n", most, sin(1.0));
  assert(most == 7);
  return 0;
}
