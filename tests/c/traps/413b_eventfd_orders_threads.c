// A thread waits for the number of another one, and for a place of a semaphore.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int done, places, data, inside;
static void *f(void *p) {
  uint64_t n, one = 1;
  (void)p;
  read(places, &n, sizeof n);
  inside++;
  assert(n == 1 && inside == 1);
  inside--;
  write(places, &one, sizeof one);
  return 0;
}
static void *g(void *p) {
  (void)p;
  data = 1;
  eventfd_write(done, 3);
  return f(0);
}
int main(void) {
  pthread_t t, u;
  eventfd_t n;
  done = eventfd(0, 0);
  places = eventfd(1, EFD_SEMAPHORE | EFD_CLOEXEC);
  if (done < 0 || places < 0) return 1;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  assert(eventfd_read(done, &n) == 0 && n == 3 && data == 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
