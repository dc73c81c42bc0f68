// Where races are not asked about, a plain access is a relaxed one.
// verdict: bug assertion
// options: --memory c11 --property unreach-call
#include <assert.h>
#include <pthread.h>
static int data, ready;
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
