// A stack without locks, after Treiber. A thread frees a node as soon as it has taken it. Another thread that has seen the node
// on top reads it after that.
//
// run: explore
// expect: bug deref
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

static void push(struct node *n) {
  struct node *seen = atomic_load(&top);
  do {
    n->next = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, n));
}

static struct node *pop(void) {
  for (;;) {
    struct node *seen = atomic_load(&top);
    if (!seen)
      return NULL;
    struct node *next = seen->next;
    if (atomic_compare_exchange_strong(&top, &seen, next)) {
      return seen;
    }
  }
}

static void retire(struct node *n) { free(n); }

static int taken[THREADS];

static void *take(void *arg) {
  int me = (int)(long)arg;
  struct node *n = pop();
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
