// Jumps lead out of a condition into what it decides about.
// verdict: safe
#include <assert.h>
static int count(int n) {
  int j = 0;
  if (({ if (n == 1) goto yes; if (n == 2) goto no; n > 3; })) {
    j += 10;
  yes:
    j += 1;
  } else {
    j += 20;
  no:
    j += 2;
  }
  while (({ if (n == 5) { n = 0; goto within; } n-- > 0; })) {
    j += 100;
  within:
    j += 1000;
  }
  return j;
}
int main(void) {
  assert(count(0) == 22 && count(1) == 1 + 1100 && count(2) == 2 + 2200 && count(3) == 22 + 3300);
  assert(count(4) == 11 + 4400 && count(5) == 11 + 1000 && count(6) == 11 + 1100 + 1000);
  return 0;
}
