// verdict: bug assertion
#include <assert.h>
#include <stdio.h>
int main(void) {
  assert(remove("x") == 0);
  return 0;
}
