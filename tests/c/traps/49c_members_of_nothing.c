// verdict: bug deref
// No pointer of this type ever leads to an object, and members are read all the same.
#include <pthread.h>
struct item { struct item *next; int value[2]; };
struct item *list;

void *thread(void *arg) {
  return list->next->next ? list->next : (void *)(long)list->value[1];
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
}
