// Jumps lead out of a `switch` past a label, and from one branch of an `if` in it into the other.
// verdict: safe
#include <assert.h>
static int count(int n, int *a) {
  int i = n, j = 0;
  if (n > 0) {
  again:
    while (i) switch (a[--i]) {
    case 0:
      if (j) goto put;
      else if (n > 5) j = 10;
      else
      put:
        goto out;
      j += 2;
      break;
    case 3:
      j += 100;
      goto again;
    }
    if (n == 7) {
    out:
      j++;
    }
  }
  return j;
}
int main(void) {
  int a[4] = {0, 1, 1, 3}, b[6] = {1, 0, 0, 1, 1, 1}, c[6] = {1, 1, 0, 1, 1, 1};
  assert(count(4, a) == 101 && count(6, b) == 13 && count(6, c) == 12 && count(1, a) == 1);
  return 0;
}
