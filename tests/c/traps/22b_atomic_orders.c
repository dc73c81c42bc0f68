// Atomic variables order: no race.
// verdict: safe
// options: --races
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int data;
void *set(void *arg) { data = 1; flag = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  if (flag) assert(data == 1);
  pthread_join(t, 0);
}
