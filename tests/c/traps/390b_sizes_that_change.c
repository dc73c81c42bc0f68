// Each of these variables is written, or a jump leads past its beginning.
// verdict: safe
#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
static int count = 4;
static void set(int *at) { *at = 2; }
static int jumps(int how) {
  if (how) goto in;
  {
    int n = 3;
    if (!how) n = 3;
  in:
    n = n;
    return how;
  }
}
int main(void) {
  int a = 4, b = 4, c = 4;
  a++;
  set(&b);
  char *p = malloc(a), *q = malloc(b), *r = malloc(count), *s;
  p[4] = q[1] = r[3] = 1;
  count = 5;
  switch (count) {
    int n = 7;
  default:
    n = 3;
    s = malloc(n);
  }
  s[2] = jumps(1);
  assert(c == 4);
}
