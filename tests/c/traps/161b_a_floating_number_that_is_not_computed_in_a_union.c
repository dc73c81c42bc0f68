// Nobody knows the bits of a result of `sin`.
// verdict: inconclusive
#include <assert.h>
#include <math.h>
union { double d; unsigned long long u; } x;
int main(void) {
  x.d = sin(1.5);
  assert(x.u == 0x7ff8dead00000001);
  return 0;
}
