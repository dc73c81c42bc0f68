// The pointer is read again after it was tested.
// verdict: bug deref
#include <pthread.h>
int x;
int *p = &x;
void *clear(void *arg) { p = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  if (p) *p = 1;
  pthread_join(t, 0);
}
