// Atomic floating numbers are read, written, exchanged and compared by their bits.
// verdict: safe
#include <stdatomic.h>
#include <assert.h>
_Atomic float f;
_Atomic double d;
struct both { double a; long b; };
_Atomic struct both s;
int main(void) {
  atomic_store(&f, 0.1);
  assert(atomic_load(&f) == 0.1f);
  atomic_store(&f, 3);
  assert(f == 3.0f);
  double zero = 0.0;
  atomic_store(&d, -0.0);
  assert(d == 0.0);
  assert(!atomic_compare_exchange_strong(&d, &zero, 1.0));
  assert(atomic_compare_exchange_strong(&d, &zero, 1.0));
  struct both v = {0}, w = {1.5, 2};
  assert(atomic_compare_exchange_strong(&s, &v, w));
  v = atomic_load(&s);
  assert(v.a == 1.5 && v.b == 2);
  double x = 1.0, y = 2.0;
  assert(__atomic_compare_exchange(&d, &x, &y, 0, 5, 5) && d == 2.0);
  __atomic_load(&d, &x, 5);
  assert(x == 2.0);
  return 0;
}
