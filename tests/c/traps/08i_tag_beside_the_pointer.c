// verdict: safe
// options: --heap-reuse
// The stack of 08g with a count of changes beside the pointer, in one word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static _Atomic uint64_t top;
static pthread_mutex_t reclaim = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken[4];

static uint64_t tagged(struct node *n, uint64_t before) {
  return ((uint64_t)(uintptr_t)n << 16) | ((before + 1) & 0xffff);
}

static struct node *pointer(uint64_t word) {
  return (struct node *)(uintptr_t)(word >> 16);
}

static void push(int value) {
  struct node *n = malloc(sizeof *n);
  uint64_t old = top;
  n->value = value;
  do
    n->next = pointer(old);
  while (!atomic_compare_exchange_strong(&top, &old, tagged(n, old)));
}

static struct node *pop(void) {
  for (;;) {
    pthread_mutex_lock(&reclaim);
    uint64_t old = top;
    struct node *node = pointer(old);
    struct node *next = node ? node->next : NULL;
    pthread_mutex_unlock(&reclaim);
    if (!node || atomic_compare_exchange_strong(&top, &old, tagged(next, old)))
      return node;
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
  if (first && second)
    assert(!top || pointer(top) != first);
  return 0;
}
