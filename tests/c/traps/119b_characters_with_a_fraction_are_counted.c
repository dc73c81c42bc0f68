// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 0;
  printf("%f%n", 1.5, &n);
  assert(n < 100);
}
