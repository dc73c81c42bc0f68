// verdict: safe
// What a `void *` leads to is sorted by its size.
#include <assert.h>
#include <stdlib.h>
static int compare(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }
static void sort(void *all, size_t count, size_t size) { qsort(all, count, size, compare); }

int main(void) {
  int numbers[2] = {2, 1};
  sort(numbers, 2, sizeof *numbers);
  assert(numbers[0] == 1);
}
