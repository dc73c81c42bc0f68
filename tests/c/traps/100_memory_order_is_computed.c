// The expression that says a memory order is computed like any other argument.
// verdict: safe
// options: --verify
#include <assert.h>
#include <stdatomic.h>
int x, c = 4;
int order(void) {
  c++;
  return 5;
}
int main(void) {
  __atomic_store_n(&x, 1, ++c);
  assert(c == 5);
  __atomic_thread_fence(order());
  assert(c == 6);
  int was = 1;
  __atomic_compare_exchange_n(&x, &was, 2, 0, order(), order());
  assert(c == 8 && x == 2);
  assert(atomic_load_explicit((_Atomic int *)&x, order()) == 2 && c == 9);
}
