// `epoll` tells of files that are asked about, and of no closed one.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int one = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
  if (one < 0 || other < 0 || poll < 0) return 1;
  assert(one != other && other != poll);
  struct epoll_event asked = {.events = EPOLLIN, .data.fd = one}, events[2];
  if (epoll_ctl(poll, EPOLL_CTL_ADD, one, &asked)) return 1;
  assert(epoll_ctl(poll, EPOLL_CTL_ADD, one, &asked) == -1);
  asked.data.fd = other;
  assert(epoll_ctl(poll, EPOLL_CTL_MOD, other, &asked) == -1 && errno == ENOENT);
  if (epoll_ctl(poll, EPOLL_CTL_ADD, other, &asked)) return 1;
  close(one);
  int n = epoll_wait(poll, events, 2, -1);
  assert(n == -1 || n == 1 && events[0].data.fd == other && !(events[0].events & EPOLLOUT));
  assert(epoll_ctl(poll, EPOLL_CTL_DEL, other, 0) == 0);
  assert(epoll_wait(poll, events, 2, 0) <= 0);
  return 0;
}
