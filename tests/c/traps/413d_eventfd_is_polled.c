// `epoll` and `poll` tell of an `eventfd` when it counts something, and wait for that.
// verdict: safe
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int e, o;
static void *f(void *p) { (void)p; eventfd_write(e, 5); return 0; }
int main(void) {
  pthread_t t; eventfd_t v;
  e = eventfd(0, EFD_NONBLOCK); o = eventfd(0, EFD_NONBLOCK);
  if (e < 0 || o < 0) return 1;
  pthread_create(&t, 0, f, 0);
  struct pollfd p[2] = {{e, POLLIN, 0}, {o, POLLIN, 0}};
  assert(poll(p, 2, -1) == 1);
  assert(p[0].revents == POLLIN && p[1].revents == 0);
  int ep = epoll_create1(0);
  if (ep < 0) return 1;
  struct epoll_event a = {.events = EPOLLIN, .data.fd = e}, b = {.events = EPOLLIN, .data.fd = o}, got[2];
  if (epoll_ctl(ep, EPOLL_CTL_ADD, e, &a) || epoll_ctl(ep, EPOLL_CTL_ADD, o, &b)) return 1;
  int n = epoll_wait(ep, got, 2, -1);
  if (n < 0) return 1;
  assert(n == 1 && got[0].data.fd == e && got[0].events == EPOLLIN);
  assert(eventfd_read(e, &v) == 0 && v == 5);
  p[0].events = POLLIN | POLLOUT;
  assert(poll(p, 2, 0) == 1 && p[0].revents == POLLOUT);
  pthread_join(t, 0);
  return 0;
}
