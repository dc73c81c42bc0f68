// verdict: safe
// A lock-free stack: while a thread is about to take the top, it is taken, freed, and comes back as another node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static _Atomic(struct node *) top;
static pthread_mutex_t reclaim = PTHREAD_MUTEX_INITIALIZER; // nobody frees a node while one is read
static atomic_int taken[4];

static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n))
    ;
}

static struct node *pop(void) {
  for (;;) {
    pthread_mutex_lock(&reclaim);
    struct node *old = top, *expected = old;
    struct node *next = old ? old->next : NULL;
    pthread_mutex_unlock(&reclaim);
    if (!old || atomic_compare_exchange_strong(&top, &expected, next))
      return old;
  }
}

static void drop(struct node *n) {
  if (!n)
    return;
  assert(taken[n->value]++ == 0);
  pthread_mutex_lock(&reclaim);
  free(n);
  pthread_mutex_unlock(&reclaim);
}

static void *worker(void *arg) {
  drop(pop());
  return arg;
}

int main(void) {
  pthread_t t;
  push(1);
  push(2);
  pthread_create(&t, NULL, worker, NULL);
  struct node *second = pop();
  struct node *first = pop();
  if (first)
    assert(taken[first->value] == 0);
  drop(second);
  push(3);
  pthread_join(t, NULL);
  // With both nodes taken by this thread, nothing but the third is there.
  if (first && second)
    assert(!top || top != first);
  return 0;
}
