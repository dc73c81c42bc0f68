// The first elements only; bytes other than zero.
// verdict: safe
#include <assert.h>
#include <string.h>
int a[4] = {1, 2, 3, 4}, b[4];
short c[3];
int main(void) {
  memcpy(b, a, 2 * sizeof *a);
  assert(b[0] == 1 && b[1] == 2 && b[2] == 0 && b[3] == 0);
  memset(c, 0x1ff, 2 * sizeof *c);
  assert(c[0] == -1 && c[1] == -1 && c[2] == 0);
  memset(a, 0, sizeof a);
  assert(a[0] == 0 && a[3] == 0);
  memset(c, 1, sizeof c);
  assert(c[2] == 0x0101);
  return 0;
}
