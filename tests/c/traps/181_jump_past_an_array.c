// A jump into a block passes over the begin of an array, which then has any value.
// verdict: safe
#include <assert.h>
int main(void) {
  goto start;
  {
    int a[2];
  start:
    a[0] = 7;
    assert(a[0] == 7);
  }
  return 0;
}
