// A pointer is never followed to a function with another structure.
// verdict: safe
#include <assert.h>
struct pair { int a, b; };
static struct pair copied(struct pair *p) { return *p; }
static int (*other)(void *);
int main(void) {
  struct pair own = {1, 2};
  struct pair (*plain)(struct pair *) = copied;
  if (own.a > 1) other = (int (*)(void *))copied;
  if (other) assert(other(&own) == 1);
  assert(plain(&own).b == 2);
}
