// Bits of a floating number that lie in a member with a sign.
// verdict: safe
#include <assert.h>
#include <stdint.h>

struct value { int kind; union { long i; double d; const char *s; }; };
static union { long long l[2]; struct { double x, y; }; } pair;
static union { int i; float f; } narrow;

static double without_sign(double x) {
  union { long i; double d; } u;
  u.d = x;
  u.i &= INT64_MAX;
  return u.d;
}

static int is_half(struct value v) { return v.kind == 1 && v.d == 0.5; }

int main(void) {
  struct value v = {1, .d = 0.5}, w = {.i = -3};
  assert(is_half(v) && v.i == 0x3fe0000000000000 && w.i == -3);
  assert(without_sign(-2.5) == 2.5 && without_sign(0.25) == 0.25);
  pair.l[1] = 0x4004000000000000;
  pair.x = -1.5;
  assert(pair.y == 2.5 && pair.x == -1.5 && pair.l[0] < 0);
  narrow.f = -1.5f;
  assert(narrow.i < 0 && narrow.f == -1.5f);
  v.s = "text";
  assert(v.s[1] == 'e');
  return 0;
}
