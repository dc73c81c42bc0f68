// A loop whose condition is open is cut after as many turns as --unroll allows: the test of a loop of C is one, too.
// verdict: safe
// options: --unroll 8
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
  while (i < n) {
    i++;
    s += 2;
  }
  assert(s == 2 * n);
  return 0;
}
