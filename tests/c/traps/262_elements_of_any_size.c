// The size of what is sorted and found need not be constant, nor that of the pointer's elements.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
static int by_value(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }
static int by_byte(const void *l, const void *r) { return *(const char *)l - *(const char *)r; }
static void sort(char *a, size_t n, size_t size) { qsort(a, n, size, by_byte); }
static void *find(const void *key, const void *all, size_t n, size_t size) { return bsearch(key, all, n, size, by_value); }
int main(void) {
  char text[4] = {'b', 'a', 'd', 'c'};
  sort(text, 4, 1);
  assert(text[0] == 'a' && text[3] == 'd');
  int pairs[6] = {3, 30, 1, 10, 2, 20}, key = 2;
  qsort(pairs, 3, 2 * sizeof pairs[0], by_value);
  assert(pairs[0] == 1 && pairs[1] == 10 && pairs[5] == 30);
  assert(find(&key, pairs, 3, 2 * sizeof pairs[0]) == &pairs[2]);
  return 0;
}
