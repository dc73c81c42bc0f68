// Nor is there a proof for all numbers of delays when a bound of the heap is met.
// verdict: inconclusive
// options: --verify --delays any --heap 3
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *last = 0;
  for (int i = 0; i < 5; i++) {
    last = malloc(sizeof(int));
    *last = i;
  }
  assert(*last == 7);
  return 0;
}
