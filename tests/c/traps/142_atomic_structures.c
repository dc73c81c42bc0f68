// verdict: safe
// The stack of a pointer and a count, of which no part is changed alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
struct node { struct node *next; int value; };
struct head { struct node *top; uintptr_t tag; };
static _Atomic struct head stack;
static struct node nodes[2] = {{0, 1}, {0, 2}};

static void push(struct node *n) {
  struct head old = atomic_load(&stack), new;
  do {
    n->next = old.top;
    new.top = n;
    new.tag = old.tag + 1;
  } while (!atomic_compare_exchange_strong(&stack, &old, new));
}

static void *w(void *arg) {
  push(&nodes[0]);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  push(&nodes[1]);
  pthread_join(t, 0);
  struct head all = atomic_exchange(&stack, (struct head){0});
  assert(all.tag == 2 && all.top->value + all.top->next->value == 3 && !all.top->next->next);
}
