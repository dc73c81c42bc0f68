// `fma` rounds once, and is not computed.
// verdict: inconclusive
#include <assert.h>
#include <math.h>
int main(void) {
  assert(fma(0x1.0000001p0, 0x1.0000001p0, -1) != 0);
  return 0;
}
