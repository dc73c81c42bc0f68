// verdict: bug deref
#include <pthread.h>
_Thread_local int own;
int *kept;
void *run(void *unused) {
  kept = &own;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return *kept;
}
