// A stub that is called through a pointer gives any result.
// verdict: bug assertion
// options: --stub f
#include <assert.h>

int f(int);

int main(void) {
  int (*p)(int) = f;
  assert(p(1) == 0);
}
