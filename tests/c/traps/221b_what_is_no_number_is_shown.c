// verdict: bug assertion
#include <assert.h>
#include <math.h>

int main(void) {
  double b = NAN;
  assert(b == b);
}
