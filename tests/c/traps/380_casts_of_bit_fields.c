// verdict: safe
#include <assert.h>
#include <limits.h>
typedef unsigned U9;
struct S { U9 f : 9; enum e { A, B = 3 } e : 3; _Bool o : 1; unsigned char c : 8; unsigned w : 32; long long q : 40; unsigned long u : 5; } s = { 3, B, 1, 255, 5, -1, 31 };
static unsigned get(void) { return s.f; }
int main(void) {
  assert((U9)s.f - 10 > 100);
  assert(get() - 10 > 100);
  unsigned t = s.f; assert(t - 10 > 100);
  assert((s.f = 2) - 10 < 0);
  assert((s.f += 1) - 10 < 0);
  assert(++s.f - 10 < 0);
  assert(-s.f < 0);
  assert(~s.u < 0);
  assert((1 ? s.f : 0) - 10 < 0);
  assert((1 ? s.f : 0u) - 10 > 0);
  assert(s.w - 10 > 0);
  assert((unsigned long)s.u - 32 > 5);
  assert((unsigned char)s.c + 1 == 256);
  assert((enum e)s.e == 3);
  assert(sizeof((unsigned long)s.u) == 8);
  assert(sizeof(+s.f) == 4);
}
