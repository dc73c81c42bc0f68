// Bit-fields, and the word in which they lie.
// verdict: safe
#include <assert.h>
union reg { struct { unsigned on : 1; unsigned mode : 3; unsigned : 4; int level : 8; } f; unsigned raw; };
struct flags { unsigned a : 3; int b : 5; unsigned c : 12; _Bool d : 1; int other; unsigned e : 30; };
struct flags g = { 5, -3, 100, 1, 9, 12345 };
int main(void) {
  union reg r = { .raw = 0 };
  r.f.mode = 13;
  r.f.level = -2;
  r.f.on = 1;
  assert(r.raw == 0xfe0b && r.f.level == -2);
  r.raw = 0x1204;
  assert(r.f.mode == 2 && r.f.level == 0x12 && !r.f.on);
  assert(g.a == 5 && g.b == -3 && g.c == 100 && g.d && g.other == 9 && g.e == 12345);
  struct flags own = g, *p = &own;
  p->a = 9;
  p->b++;
  p->c += 4000;
  p->d = 0;
  assert(own.a == 1 && own.b == -2 && own.c == 4 && !own.d && own.e == 12345 && g.a == 5);
}
