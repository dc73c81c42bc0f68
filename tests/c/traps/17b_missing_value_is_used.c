// A function that ends without `return` gives any value to who uses it.
// verdict: bug assertion
// options: --verify
#include <assert.h>
int sign(int n) {
  if (n > 0) return 1;
  if (n < 0) return -1;
}
int main(void) {
  int s = sign(0);
  assert(s == 0);
}
