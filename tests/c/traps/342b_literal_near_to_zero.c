// Literals below the least number with all its digits are rounded once.
// verdict: safe
#include <assert.h>
static unsigned long long bits(double number) {
  union { double number; unsigned long long bits; } both = {number};
  return both.bits;
}
int main(void) {
  assert(bits(0x1p-1074) == 1 && bits(0x1.8p-1075) == 1 && bits(0x1p-1075) == 0);
  assert(bits(0x1a6941e2220a7fp-1080) == 116157516908586 && bits(0x16aa1b4c4e32b4p-1075) == 3189741854333274);
  return 0;
}
