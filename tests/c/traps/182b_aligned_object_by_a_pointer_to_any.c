// As 182, for `posix_memalign`.
// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
typedef struct { int v; } small;
typedef struct { small *e; void *arg; } large;
int main(void) {
  large *g = calloc(1, sizeof(large));
  small *e;
  if (posix_memalign((void **)&e, 64, sizeof(small))) return 0;
  g->e = e;
  g->arg = g;
  large *h = g->arg;
  h->e->v = 5;
  assert(e->v == 6);
  return 0;
}
