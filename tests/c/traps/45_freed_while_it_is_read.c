// Nobody writes the object once there are threads, but it is freed: reading it is a step.
// verdict: bug deref
#include <pthread.h>
#include <stdlib.h>
int *p;
void *run(void *arg) {
  int first = *p;
  int second = *p;
  return first == second ? 0 : arg;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&t, 0, run, 0);
  free(p);
  pthread_join(t, 0);
}
