#include <assert.h>
enum e { A = 3, B }; struct s { int a; unsigned char b[3]; } g = { 1, { 255, 2 } };
int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }
int main(void) {
  unsigned char c = 200; c += 100; assert(c == 44);
  signed char d = 200; assert(d == -56); char k = 255; assert(k < 0);
  unsigned u = 1; int i = -1; assert(i > u);
  unsigned short p = 65535, q = 65535; assert((p + q) == 131070);
  _Bool b = 256; assert(b == 1); assert(A + B == 7);
  long l = 1L << 40; int t = l; assert(t == 0);
  assert(g.a == 1 && g.b[0] == 255 && g.b[2] == 0); assert(f(5) == 120);
  int x = 5; int y = x++ + x; assert(y == 11); x = x + 1; assert(x == 7); assert((x = x + 1) == 8);
  int s = 0; for (int j = 0; j < 5; j++) { if (j == 2) continue; if (j == 4) break; s += j; } assert(s == 4);
  int w = 0; do { w++; if (w == 2) continue; } while (w < 3); assert(w == 3);
  int r = 0; switch (x) { case 7: r = 1; case 8: r += 2; case 9: r += 4; break; default: r = 100; } assert(r == 6);
  switch (50) { default: r = 1; case 3: r++; break; case 4: r = 9; } assert(r == 2);
  if (r == 2) goto out; assert(0);
out: assert(-7 / 2 == -3 && -7 % 2 == -1); assert((-8 >> 1) == -4); assert(sizeof(long) == 8);
  assert(!(0 && 1 / 0)); assert(1 || 1/0);
  return 0; }
