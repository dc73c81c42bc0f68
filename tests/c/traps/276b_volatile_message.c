// `--volatile atomic`: what is read there orders threads. Stores reach memory in their order on x86.
// verdict: safe
// options: --volatile atomic --memory tso
#include <assert.h>
#include <pthread.h>
static int data;
static volatile int ready;
static void *writer(void *unused) {
  data = 1;
  ready = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (ready)
    assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
