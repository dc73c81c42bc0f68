// A jump into a block passes over the begin of an array: the other element has any value.
// verdict: bug assertion
#include <assert.h>
int main(void) {
  goto start;
  {
    int a[2] = {0, 0};
  start:
    a[0] = 7;
    assert(a[1] == 0);
  }
  return 0;
}
