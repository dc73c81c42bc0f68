// A counter that decides nothing is no part of a state.
// verdict: safe
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *work(void *arg) {
  for (int j = 1;; j++) {
    printf("Loop %d\n", j);
    sleep(1);
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  sleep(3);
  pthread_cancel(t);
  pthread_join(t, NULL);
}
