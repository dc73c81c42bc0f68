// Fractions are not computed: neither of these is known to fail.
// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
int main(void) {
  double half;
  assert(sscanf("0.5", "%lf", &half) == 1);
  return 0;
}
