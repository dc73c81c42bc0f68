// What a thread returns is read when it has ended.
// verdict: safe
#include <assert.h>
#include <pthread.h>
void *work(void *arg) {
  if ((long)arg == 1) pthread_exit((void *)11);
  return (void *)12;
}
int main(void) {
  pthread_t a, b;
  void *first;
  long second;
  pthread_create(&a, 0, work, (void *)1);
  pthread_create(&b, 0, work, (void *)2);
  pthread_join(b, (void **)&second);
  pthread_join(a, &first);
  assert(first == (void *)11 && second == 12);
}
