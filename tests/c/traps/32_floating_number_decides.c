// Floating numbers are carried about; where one decides, nothing more is known.
// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
int main(void) {
  double half = 1 / 2.0;
  printf("%f\n", half);
  if (half > 1) assert(0);
  return 0;
}
