// A program's own functions take the place of those of the library, also before they are defined.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
static int sorted(int *a) {
  qsort(a, 2, sizeof *a, 0);
  return a[0];
}
void *realloc(void *p, size_t n) { return n ? p : 0; }
int posix_memalign(void **p, size_t a, size_t n) { return p ? 7 : (int)(a + n); }
void qsort(void *a, size_t n, size_t size, int (*compare)(const void *, const void *)) { *(int *)a = 9; }
void *bsearch(const void *key, const void *a, size_t n, size_t size, int (*compare)(const void *, const void *)) { return (void *)key; }
int main(void) {
  int a[2] = {2, 1};
  void *q;
  assert(realloc(a, 4) == a && posix_memalign(&q, 8, 4) == 7);
  assert(sorted(a) == 9 && bsearch(a, 0, 0, 4, 0) == a);
  return 0;
}
