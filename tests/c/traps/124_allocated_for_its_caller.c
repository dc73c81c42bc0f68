// One `malloc` in the text, and objects of several types.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
static void *xcalloc(size_t n, size_t each) {
  void *p = xmalloc(n * each);
  memset(p, 0, n * each);
  return p;
}
struct a { int x; struct a *next; };
struct b { long y, z; char c; };

int main(void) {
  struct a *p = xmalloc(sizeof *p);
  struct b *q = xcalloc(1, sizeof *q);
  p->x = 1;
  p->next = 0;
  q->c = 3;
  assert(p->x == 1 && q->y == 0 && q->c == 3);
  int *list = xmalloc(3 * sizeof(int));
  list[2] = 3;
  assert(list[2] == 3);
  pthread_t *t = xmalloc(sizeof *t);
  free(t);
  free(list);
  free(p);
  free(q);
}
