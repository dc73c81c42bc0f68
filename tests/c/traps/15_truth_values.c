// What becomes a `_Bool` is compared with zero, and not cut.
// verdict: safe
#include <assert.h>
#include <stdbool.h>
int big = 256;
int main(void) {
  bool b = big;
  assert(b == 1);
  b++;
  assert(b == 1);
}
