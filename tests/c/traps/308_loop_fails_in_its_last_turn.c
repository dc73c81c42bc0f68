// The last turn that --unroll allows is looked at.
// verdict: bug assertion
// options: --unroll 8
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  do {
    i++;
    assert(i != 8);
  } while (i < n);
  return 0;
}
