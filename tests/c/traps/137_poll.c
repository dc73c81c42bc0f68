// verdict: safe
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/poll.h>
#include <unistd.h>

static void *w(void *arg) {
  struct pollfd files[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = -1, .events = POLLOUT}};
  int ready = poll(files, 2, -1);
  assert(ready == 1 && files[0].revents != 0 && files[1].revents == 0);
  assert(!(files[0].revents & POLLOUT));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  assert(poll(0, 0, 10) == 0);
  pthread_join(t, 0);
}
