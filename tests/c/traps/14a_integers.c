// Promotions, signs and sizes are those of C with 64 bits.
// verdict: safe
#include <assert.h>
int main(void) {
  unsigned char u = 255;
  char c = (char)200;
  unsigned one = 1;
  assert(u + 1 == 256);
  assert(c < 0);
  assert(!(-1 < one));
  assert(sizeof(long) == 8);
  assert((unsigned char)(u + 1) == 0);
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert((short)40000 == -25536);
}
