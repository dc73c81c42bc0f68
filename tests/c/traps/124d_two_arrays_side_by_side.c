// What one structure leads to has several types.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct worker { int id, done; };
struct pool { pthread_t *threads; struct worker *workers; int n; };

static void *run(void *arg) {
  struct worker *w = arg;
  w->done = 1;
  return 0;
}

int main(void) {
  struct pool *p = malloc(sizeof *p);
  p->n = 2;
  p->threads = malloc(p->n * sizeof *p->threads);
  p->workers = calloc(p->n, sizeof *p->workers);
  for (int i = 0; i < p->n; i++) pthread_create(&p->threads[i], 0, run, &p->workers[i]);
  for (int i = 0; i < p->n; i++) pthread_join(p->threads[i], 0);
  assert(p->workers[0].done && p->workers[1].done);
  free(p->threads);
  free(p->workers);
  free(p);
}
