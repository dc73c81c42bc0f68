// The first read takes the whole number. Nobody writes another one.
// verdict: bug deadlock
#include <pthread.h>
#include <sys/eventfd.h>
static int e;
static void *f(void *p) {
  (void)p;
  eventfd_write(e, 2);
  return 0;
}
int main(void) {
  pthread_t t;
  eventfd_t n;
  e = eventfd(0, 0);
  if (e < 0) return 1;
  pthread_create(&t, 0, f, 0);
  eventfd_read(e, &n);
  eventfd_read(e, &n);
  pthread_join(t, 0);
  return 0;
}
