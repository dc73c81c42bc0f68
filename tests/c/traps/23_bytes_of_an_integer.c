// The bytes of an integer, the lowest first.
// verdict: safe
#include <assert.h>
int x;
int main(void) {
  unsigned char *p = (unsigned char *)&x;
  p[0] = 1;
  p[3] = 0x80;
  assert(x == (int)0x80000001);
  assert(*(unsigned char *)&x == 1);
  return 0;
}
