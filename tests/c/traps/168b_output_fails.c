// verdict: bug assertion
#include <assert.h>
#include <stdio.h>
int main(void) {
  assert(printf("abc") == 3);
  return 0;
}
