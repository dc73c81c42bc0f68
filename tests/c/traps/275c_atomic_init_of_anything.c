// `atomic_init` takes structures, pointers, truth values and floating numbers, and gives nothing.
// verdict: safe
#include <assert.h>
#include <stdatomic.h>
struct pair { int left, right; };
static int n;
static _Atomic(struct pair) p;
static _Atomic(int *) q;
static atomic_bool b;
static _Atomic double d;
int main(void) {
  atomic_init(&p, ((struct pair){1, 2}));
  atomic_init(&q, &n);
  atomic_init(&b, 5);
  n ? atomic_init(&d, 1.5) : atomic_init(&d, 2.5);
  struct pair seen = atomic_load(&p);
  assert(seen.left == 1 && seen.right == 2);
  assert(q == &n && b == 1 && d == 2.5);
  return 0;
}
