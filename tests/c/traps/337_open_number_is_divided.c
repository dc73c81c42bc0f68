// verdict: safe
// options: --verify --engine smt
#include <assert.h>
#include <stdlib.h>
int main(void) {
  double part = rand() / (double)RAND_MAX;
  if (part < 0.5) assert(part <= 0.5);
  assert(part >= 0 && part <= 1);
}
