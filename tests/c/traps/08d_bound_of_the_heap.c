// More objects than are looked at are no proof that all is well.
// verdict: inconclusive
// options: --heap 3
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
