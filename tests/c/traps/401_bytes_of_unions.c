// Bytes of a union through a pointer, also of one of floating numbers.
// verdict: safe
#include <assert.h>
#include <string.h>
union {
  unsigned long l;
  double d;
} u, w;
union v {
  struct {
    char c;
    int i;
  } s;
  long l;
  short h[3];
} v;
union only {
  unsigned long l;
  double d;
} only;
struct outer {
  int before;
  union v v;
} outer;
int main(void) {
  u.d = 2.5;
  assert(((unsigned char *)&u)[7] == 0x40);
  ((unsigned char *)&u)[7] = 0xc0;
  assert(u.d == -2.5 && u.l == 0xc004000000000000);
  ((unsigned char *)&u.l)[0] ^= 3;
  assert(u.l == 0xc004000000000003);
  only.d = 1.0;
  assert(((unsigned char *)&only)[7] == 0x3f);

  // The bytes between members of one member belong to another one.
  v.l = -1;
  assert(((unsigned char *)&v)[2] == 0xff);
  ((unsigned char *)&v)[2] = 7;
  assert((unsigned short)v.h[1] == 0xff07 && v.s.c == -1);

  unsigned char bytes[sizeof outer];
  outer.v.l = 0x1122334455667788;
  memcpy(bytes, &outer, sizeof outer);
  assert(bytes[8] == 0x88 && bytes[15] == 0x11);
  bytes[9] = 0;
  memcpy(&outer, bytes, sizeof outer);
  assert(outer.v.h[0] == 0x88 && outer.v.s.i == 0x11223344);

  unsigned number;
  memcpy(&number, &v, sizeof number);
  assert(number == 0xff07ffff);
  memcpy(&w, &u, sizeof w);
  assert(!memcmp(&u, &w, sizeof u));
  return 0;
}
