// verdict: safe
// A weak exchange that fails for no reason leaves all as it was.
#include <pthread.h>
#include <stdatomic.h>
struct node {
  struct node *next;
};
static _Atomic(struct node *) head;
static struct node nodes[3];
static void *push(void *arg) {
  struct node *n = arg;
  n->next = atomic_load_explicit(&head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&head, &n->next, n, memory_order_release, memory_order_relaxed)) continue;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, push, &nodes[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  int n = 0;
  for (struct node *p = atomic_load(&head); p; p = p->next) n++;
  return n != 3;
}
