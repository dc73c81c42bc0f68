// A square is larger than the square of the root that is rounded down.
// verdict: bug assertion
#include <assert.h>
#include <math.h>
int main(void) {
  for (int n = 0; n < 4; n++) {
    int root = (int)sqrt(n);
    assert(root * root == n);
  }
  return 0;
}
