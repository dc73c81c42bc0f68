// verdict: inconclusive
#include <assert.h>
long number;
int main(void) {
  number = 7;
  *(double *)&number = 1.0;
  assert(number);
  return 0;
}
