// A fraction is read as the C library reads it.
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  double half;
  assert(sscanf("0.5", "%lf", &half) == 1);
  assert(half == 0.5);
  return 0;
}
