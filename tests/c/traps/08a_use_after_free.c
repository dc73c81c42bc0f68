// Memory that was given back is no object any more, and is never handed out again.
// verdict: bug deref
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *pop(void *arg) {
  struct node *top = head; // not under the lock
  pthread_mutex_lock(&lock);
  if (top == head && top) head = top->next;
  pthread_mutex_unlock(&lock);
  if (top) free(top);
  return 0;
}
int main(void) {
  pthread_t a, b;
  head = malloc(sizeof *head);
  head->value = 1;
  head->next = malloc(sizeof *head);
  head->next->next = 0;
  pthread_create(&a, 0, pop, 0);
  pthread_create(&b, 0, pop, 0);
  pthread_join(a, 0);
  if (head) head->value = 2; // the second thread may have freed what the first left there
  pthread_join(b, 0);
  return 0;
}
