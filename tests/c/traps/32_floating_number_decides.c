// What is not computed is carried about; where it decides, nothing more is known.
// verdict: inconclusive
#include <assert.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  double half = sin(1 / 2.0);
  printf("%f\n", half);
  if (half > 1) assert(0);
  return 0;
}
