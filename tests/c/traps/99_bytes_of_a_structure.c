// A structure as bytes, and other numbers than it is made of.
// verdict: safe
#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <stdint.h>
struct s { bool on; char tag; short n; int v[2]; void *p; };
int g;
int main(void) {
  struct s a = { true, 'q', -3, { 5, 6 }, &g }, b;
  unsigned char buf[sizeof(struct s)];
  memcpy(buf, &a, sizeof a);
  assert(buf[0] == 1 && buf[1] == 'q' && buf[2] == 0xfd && buf[3] == 0xff && buf[4] == 5);
  buf[4] = 9;
  memcpy(&b, buf, sizeof b);
  assert(b.on && b.tag == 'q' && b.n == -3 && b.v[0] == 9 && b.v[1] == 6 && b.p == &g);
  *(int *)b.p = 3;
  assert(g == 3);
  int arr[3] = { 1, 2, 3 };
  char *c = (char *)arr;
  c += 4;
  assert(*(int *)c == 2);
  memset(c, 0xff, 4);
  assert(arr[1] == -1 && arr[2] == 3);
  unsigned char raw[4] = { 1, 0, 0, 0x80 };
  uint32_t v;
  memcpy(&v, raw, 4);
  assert(v == 0x80000001u);
  uint16_t *h = (uint16_t *)raw;
  assert(h[0] == 1 && h[1] == 0x8000);
  h[1] = 0x1234;
  assert(raw[2] == 0x34 && raw[3] == 0x12);
  int k = 'a';
  memset(raw, k, sizeof raw);
  assert(raw[3] == 'a');
  return 0;
}
