// clang's operations move a pointer by elements, GNU's by bytes.
// verdict: safe
#include <assert.h>
static int a[4];
static _Atomic(int *) p = a;
int main(void) {
  assert(__c11_atomic_fetch_add(&p, 2, __ATOMIC_SEQ_CST) == a);
  assert(__c11_atomic_fetch_sub(&p, 1, __ATOMIC_SEQ_CST) == a + 2);
  assert(__atomic_fetch_add(&p, sizeof *p, __ATOMIC_SEQ_CST) == a + 1);
  assert(p == a + 2);
  return 0;
}
