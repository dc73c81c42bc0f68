// verdict: bug assertion
// options: --verify --engine smt
#include <assert.h>
#include <stdlib.h>
int main(void) {
  double part = rand() / (double)RAND_MAX;
  assert(part < 1);
}
