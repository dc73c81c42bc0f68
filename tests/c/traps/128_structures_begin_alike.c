// verdict: safe
#include <assert.h>
struct base { int kind, n; };
struct derived { int kind, n; long more; };
static int sum(struct base *b) { return b->n + b->kind; }
static void set(struct base *b, int n) { b->n = n; }

int main(void) {
  struct derived d = {1, 2, 3};
  struct base b = {4, 5};
  assert(sum((struct base *)&d) == 3 && sum(&b) == 9);
  set((struct base *)&d, 7);
  assert(d.n == 7 && d.kind == 1 && d.more == 3);
}
