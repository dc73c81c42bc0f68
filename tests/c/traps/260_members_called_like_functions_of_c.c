// Members may be called as functions of the library are.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
struct ops {
  void *(*realloc)(void *, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void (*qsort)(int *, size_t);
  int (*bsearch)(int);
};
static void *no_memory(void *p, size_t n) { return n ? p : 0; }
static int fails(void **p, size_t a, size_t n) { return p ? 12 : (int)(a + n); }
static void first_is_one(int *a, size_t n) { if (n) a[0] = 1; }
static int next(int n) { return n + 1; }
int main(void) {
  struct ops o = {no_memory, fails, first_is_one, next}, *p = &o;
  int a[2] = {5, 6};
  void *q;
  assert(p->realloc(a, 8) == a && o.realloc(a, 0) == 0);
  assert(p->posix_memalign(&q, 8, 4) == 12);
  p->qsort(a, 2);
  assert(a[0] == 1 && p->bsearch(3) == 4);
  return 0;
}
