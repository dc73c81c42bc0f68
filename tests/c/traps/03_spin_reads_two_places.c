// A loop that polls two variables leaves between their changes; waiting for both at once would never end.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
_Bool a, b = 1;
void *writer(void *arg) { a = 1; b = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  while (a || b) ;
  assert(0);
}
