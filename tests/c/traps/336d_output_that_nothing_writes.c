// verdict: bug assertion
#include <assert.h>
int main(void) {
  int x = 0;
  asm("" : "=r"(x));
  assert(x == 0);
}
