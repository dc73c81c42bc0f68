// verdict: bug assertion
#include <assert.h>

static _Atomic(int) n;

int main(void) {
  int seen = 0;
  assert(__c11_atomic_compare_exchange_weak(&n, &seen, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 0;
}
