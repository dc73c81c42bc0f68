// A wrong input that lies in the range is found.
// verdict: bug assertion
// options: --nondet 0..9
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) { assert(__VERIFIER_nondet_int() != 7); }
