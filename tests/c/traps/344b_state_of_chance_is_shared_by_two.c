// Each number changes the state that a program keeps for itself.
// verdict: bug race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
static struct drand48_data state;
static void *asks(void *arg) {
  long number;
  lrand48_r(&state, &number);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, asks, 0);
  pthread_create(&two, 0, asks, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
