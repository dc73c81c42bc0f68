// verdict: bug assertion
// A jump from one branch into the other, and back into a block that is over.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int n = 0;
  if (__VERIFIER_nondet_int()) {
    n = 1;
    goto other;
  } else {
    n = 2;
  other:
    n += 10;
  }
  if (n == 11) {
    n = 12;
    goto other;
  }
  assert(n == 12 || n == 22);
  assert(n != 22);
}
