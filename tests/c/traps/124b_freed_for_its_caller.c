// verdict: bug deref
#include <stdlib.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
struct a { int x; };
struct b { long y[4]; };

int main(void) {
  struct a *p = xmalloc(sizeof *p);
  struct b *q = xmalloc(sizeof *q);
  p->x = 1;
  q->y[3] = 2;
  free(q);
  return q->y[0] + p->x;
}
