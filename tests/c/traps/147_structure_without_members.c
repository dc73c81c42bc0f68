// A structure without members has an address, and no bytes.
// verdict: safe
#include <assert.h>
#include <string.h>
struct nothing {};
struct some { struct nothing none; int number; };
int main(void) {
  struct nothing one, many[2];
  struct some other = { .number = 3 };
  void *p = &one, *q = many;
  unsigned size = 0;
  memset(p, 0, size);
  memcpy(&other.none, q, size);
  assert(p != 0 && other.number == 3);
  return 0;
}
