// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void set(void) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }
void *thread(void *arg) {
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  int choice;
  pthread_create(&t, 0, thread, 0);
  if (choice) {
    set();
    __VERIFIER_assume(choice == 0);
  }
  pthread_join(t, 0);
}
