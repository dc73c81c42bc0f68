// Handlers run when the thread ends in a function, the last first; one that is popped with 0 does not.
// verdict: safe
#include <pthread.h>
#include <assert.h>
int order, first, second, third;
void note(void *at) { *(int *)at = ++order; }
void deep(int ends) {
  pthread_cleanup_push(note, &second);
  if (ends) pthread_exit((void *)7L);
  pthread_cleanup_pop(0);
}
void *run(void *arg) {
  pthread_cleanup_push(note, &first);
  pthread_cleanup_push(note, &third);
  pthread_cleanup_pop(0);
  deep(0);
  deep(1);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &result);
  assert(result == (void *)7L && second == 1 && first == 2 && third == 0);
}
