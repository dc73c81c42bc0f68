// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(!getenv("ONE") == !getenv("TWO"));
  return 0;
}
