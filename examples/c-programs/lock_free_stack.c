// A stack without locks, after Treiber: a thread may free a node only when no other thread can still look at it. Here each thread
// says which node it looks at (a hazard pointer). Such a node is kept.
//
// run: explore
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 2

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) looking[THREADS];

static void push(struct node *n) {
  struct node *seen = atomic_load(&top);
  do {
    n->next = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, n));
}

/* Says that the node on top is looked at, and makes sure that it was still there afterwards. */
static struct node *protect(int me) {
  for (;;) {
    struct node *seen = atomic_load(&top);
    atomic_store(&looking[me], seen);
    if (atomic_load(&top) == seen)
      return seen;
  }
}

static struct node *pop(int me) {
  for (;;) {
    struct node *seen = protect(me);
    if (!seen)
      return NULL;
    struct node *next = seen->next;
    if (atomic_compare_exchange_strong(&top, &seen, next)) {
      atomic_store(&looking[me], NULL);
      return seen;
    }
  }
}

static void retire(struct node *n) {
  for (int i = 0; i < THREADS; i++)
    if (atomic_load(&looking[i]) == n)
      return; // another thread may still read it: it is lost, not freed
  free(n);
}

static int taken[THREADS];

static void *take(void *arg) {
  int me = (int)(long)arg;
  struct node *n = pop(me);
  if (n) {
    taken[me] = n->value;
    retire(n);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 1; i <= THREADS; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    push(n);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, take, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(taken[0] + taken[1] == 3);
  return 0;
}
