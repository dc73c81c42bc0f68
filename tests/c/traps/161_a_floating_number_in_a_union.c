// Members of a union are the same bytes, of floating numbers too.
// verdict: safe
#include <assert.h>
#include <stdint.h>
#include <string.h>
typedef union { double d; uint64_t u; uint32_t w[2]; unsigned char b[8]; } bits;
typedef union { float f; uint32_t u; } short_bits;
typedef struct { int kind; union { int i; double d; const char *s; } u; } value;
static short_bits g = {1.5f};
static bits gb = {.d = -2.25};
static struct { int kind; union { long l; float f; double d; } u; } table[3] = {{0, {.l = 7}}, {1, {.f = 0.1f}}, {2, {.d = 0.1}}};
static double number(value v) { return v.kind == 0 ? v.u.i : v.kind == 1 ? v.u.d : strlen(v.u.s); }
static float rsqrt(float x) {
  short_bits i = {x};
  i.u = 0x5f3759df - (i.u >> 1);
  return i.f * (1.5f - x * 0.5f * i.f * i.f);
}
int main(void) {
  bits x;
  x.d = 1.0;
  assert(x.u == 0x3ff0000000000000u && x.w[1] == 0x3ff00000 && x.b[7] == 0x3f && x.b[0] == 0);
  x.b[7] |= 0x80;
  assert(x.d == -1.0);
  x.u = 0x400921fb54442d18;
  assert(x.d > 3.14159265 && x.d < 3.14159266);
  short_bits f;
  f.f = -0.75f;
  assert(f.u == 0xbf400000);
  f.u = 1;
  assert(f.f > 0 && f.f < 1e-44);
  f.f = 1e-40f;
  assert(f.u == 71362);
  f.u = 0x7f800000;
  assert(f.f > 1e38f);
  assert(g.u == 0x3fc00000 && gb.u == 0xc002000000000000u);
  assert(table[0].u.l == 7 && table[1].u.f == 0.1f && table[2].u.d == 0.1);
  for (int i = 0; i < 3; i++) table[i].u.d = i * 0.5;
  assert(table[2].u.d == 1.0 && table[1].u.l == 0x3fe0000000000000);
  value a = {0, {.i = 3}}, b = {1, {.d = 2.5}}, c = {2, {.s = "four"}};
  assert(number(a) + number(b) + number(c) == 9.5);
  bits y = x, *p = &y;
  p->d += 1;
  assert(y.d > 4.14 && x.d < 3.15);
  float r = rsqrt(4.0f);
  assert(r > 0.499f && r < 0.5f);
  return 0;
}
