// A pointer to a function of the library leads to one.
// verdict: refused
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int (*f)(int) = abs;
  assert(f(-3) == 3);
}
