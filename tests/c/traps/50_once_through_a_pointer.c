// verdict: safe
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int made, other;
void make(void) { made++; }
void make_other(void) { other++; }
void (*chosen)(void) = make_other;

void *thread(void *arg) {
  pthread_once(&once, chosen);
  return 0;
}

int main(void) {
  pthread_t t;
  chosen = make;
  pthread_create(&t, 0, thread, 0);
  pthread_once(&once, chosen);
  pthread_join(t, 0);
  assert(made == 1 && other == 0);
}
