// Sorting by a size that is not that of an element allocates nothing.
// verdict: safe
// options: --check memleak --heap 8
#include <assert.h>
#include <stdlib.h>
static int by_first(const void *l, const void *r) { return *(const char *)l - *(const char *)r; }
int main(void) {
  char pairs[7] = "c2b1a0";
  for (int turn = 0; turn < 9; turn++) {
    pairs[0] = 'd' + turn;
    qsort(pairs, 3, 2, by_first);
    pairs[0] = pairs[4];
  }
  assert(pairs[0] == 'l' && pairs[4] == 'l');
  return 0;
}
