// Bytes of structures with bit-fields are known: by a copy, by a pointer, by a comparison.
// verdict: safe
#include <assert.h>
#include <string.h>
struct s {
  unsigned a : 4, b : 12;
};
struct packet {
  unsigned char kind : 3, more : 5;
  unsigned short length;
  unsigned flags : 20, : 0, last : 9;
  int data[2];
} sent, got;
struct inner {
  char c;
  struct s s[2];
};
struct one {
  unsigned a : 7;
};
int main(void) {
  struct s s = {1, 2};
  unsigned v;
  memcpy(&v, &s, 4);
  assert(v == 0x21);
  v = 0xfedc;
  memcpy(&s, &v, sizeof s);
  assert(s.a == 0xc && s.b == 0xfed);
  assert(*(unsigned *)&s == 0xfedc && ((unsigned char *)&s)[1] == 0xfe);
  ((unsigned char *)&s)[0] ^= 0x0f;
  assert(s.a == 3 && s.b == 0xfed);

  unsigned char wire[sizeof(struct packet)];
  sent.kind = 5;
  sent.more = 17;
  sent.length = 0x1234;
  sent.flags = 0xabcde;
  sent.last = 0x155;
  sent.data[1] = -2;
  memcpy(wire, &sent, sizeof sent);
  assert(wire[0] == (5 | 17 << 3) && wire[1] == 0 && wire[3] == 0x12);
  assert(wire[4] == 0xde && wire[6] == 0xa && wire[8] == 0x55 && wire[9] == 1);
  memcpy(&got, wire, sizeof got);
  assert(got.more == 17 && got.flags == 0xabcde && got.last == 0x155 && got.data[1] == -2);
  assert(!memcmp(&got, &sent, sizeof got));
  got.kind = 4;
  assert(memcmp(&got, &sent, sizeof got));

  struct inner i;
  memset(&i, 0, sizeof i);
  i.s[1].b = 0x765;
  unsigned char bytes[sizeof i];
  memcpy(bytes, &i, sizeof i);
  assert(bytes[8] == 0x50 && bytes[9] == 0x76);

  struct one o = {5};
  assert(*(unsigned char *)&o == 5);
  return 0;
}
