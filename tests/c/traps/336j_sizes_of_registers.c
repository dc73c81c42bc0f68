// verdict: safe
#include <assert.h>
int main(void) {
  unsigned char c = 255;
  asm("add $1, %b0" : "+r"(c));
  assert(c == 0);
  int v = 255;
  asm("add $1, %k0" : "+r"(v));
  assert(v == 256);
  long w = -1;
  asm("add %q1, %q0" : "+r"(w) : "r"(1L));
  assert(w == 0);
  _Bool zero;
  asm("subl $256, %k1\n\tsete %b0" : "=q"(zero), "+r"(v));
  assert(zero && v == 0);
}
