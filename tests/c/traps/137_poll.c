// verdict: safe
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/poll.h>
#include <unistd.h>

static int ends[2];

static void *w(void *arg) {
  struct pollfd files[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = -1, .events = POLLOUT}};
  int ready = poll(files, 2, -1);
  assert(ready == 1 && files[0].revents != 0 && files[1].revents == 0);
  assert(!(files[0].revents & POLLOUT));
  return arg;
}

int main(void) {
  pthread_t t;
  if (pipe(ends) != 0) return 0;
  pthread_create(&t, 0, w, 0);
  assert(poll(0, 0, 10) == 0);
  pthread_join(t, 0);
}
