// What stands second in the one stands third in the other.
// verdict: bug assertion
#include <assert.h>
struct base { int kind, n; };
struct derived { int kind, between, n; };
static int sum(struct base *b) { return b->n + b->kind; }

int main(void) {
  struct derived d = {1, 2, 3};
  assert(sum((struct base *)&d) == 4);
}
