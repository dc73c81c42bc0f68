// `sin` is not computed, so nobody knows these digits.
// verdict: inconclusive
#include <assert.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  char text[32];
  int n = snprintf(text, sizeof text, "%.1f", sin(1.5));
  assert(n == 3);
  return 0;
}
