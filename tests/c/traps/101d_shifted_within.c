// verdict: safe
// options: --verify
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int by = __VERIFIER_nondet_int() & 31;
  assert((1u << by) != 0 && (1LL << 40) >> 40 == 1);
}
