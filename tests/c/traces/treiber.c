// Treiber's stack: two threads push a node each, two take one each and try again while there is none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
static struct node nodes[2];

static void push(struct node *n) {
  struct node *seen = atomic_load(&top);
  do {
    n->next = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, n));
}

static struct node *pop(void) {
  struct node *seen = atomic_load(&top);
  while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
  }
  return seen;
}

static void *producer(void *arg) {
  struct node *n = arg;
  push(n);
  return 0;
}

static void *consumer(void *arg) {
  struct node *n;
  while (!(n = pop())) {
  }
  *(int *)arg = n->value;
  return 0;
}

int main(void) {
  pthread_t p[2], c[2];
  int got[2];
  for (int i = 0; i < 2; i++) {
    nodes[i].value = i + 1;
    pthread_create(&p[i], 0, producer, &nodes[i]);
    pthread_create(&c[i], 0, consumer, &got[i]);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(p[i], 0);
    pthread_join(c[i], 0);
  }
  assert(got[0] + got[1] == 3);
  return 0;
}
