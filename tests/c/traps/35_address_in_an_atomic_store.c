// An address that is stored by an atomic operation is one that pointers may have.
// verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { int value; struct node *next; };
struct queue { struct node first; _Atomic(struct node *) head; } queue;
int main(void) {
  queue.first.value = 7;
  atomic_store_explicit(&queue.head, &queue.first, memory_order_release);
  struct node *head = atomic_load(&queue.head);
  assert(head->value == 7 && head->next == NULL);
  struct node *expected = &queue.first;
  assert(atomic_compare_exchange_strong(&queue.head, &expected, NULL));
}
