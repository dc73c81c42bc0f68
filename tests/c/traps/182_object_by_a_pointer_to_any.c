// What is stored by a `void **` has the type of the pointer there, although a larger object leads to it, too.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
typedef struct { int v; } small;
typedef struct { small *e; void *arg; } large;
int main(void) {
  large *g = calloc(1, sizeof(large));
  small *e = 0;
  void **to = (void **)&e;
  *to = malloc(sizeof(small));
  g->e = e;
  g->arg = g;
  large *h = g->arg;
  h->e->v = 5;
  assert(e->v == 5 && h == g);
  free(e);
  free(g);
  return 0;
}
