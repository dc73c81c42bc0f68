// The compiler's own constants for these are of type `long double`.
// verdict: safe
#include <assert.h>
#include <float.h>
int main(void) {
  double all[] = {3, 1, 2}, least = DBL_MAX;
  for (int i = 0; i < 3; i++)
    if (all[i] < least) least = all[i];
  assert(least == 1);
  assert(1 + DBL_EPSILON > 1 && 1 + DBL_EPSILON / 2 == 1);
  assert(DBL_MIN / 2 > 0 && DBL_TRUE_MIN > 0 && DBL_TRUE_MIN / 2 == 0);
  return 0;
}
