// A negative number is no file and no socket, and an address has a text that fits.
// verdict: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char text[INET_ADDRSTRLEN], small[7];
  struct in_addr address = {htonl(0x7f000001)};
  struct epoll_event event = {.events = EPOLLIN};
  int error = 1;
  socklen_t size = sizeof error;
  assert(recv(-1, text, sizeof text, 0) == -1 && errno == EBADF);
  assert(send(-1, text, 0, 0) == -1 && accept(-1, 0, 0) == -1 && listen(-1, 5) == -1 && errno == EBADF);
  assert(epoll_ctl(3, EPOLL_CTL_ADD, -1, &event) == -1 && errno == EBADF);
  struct stat status;
  assert(close(-1) == -1 && errno == EBADF);
  assert(read(-1, text, 1) == -1 && lseek(-1, 0, SEEK_SET) == -1 && dup(-1) == -1 && dup2(0, -1) == -1);
  assert(fsync(-1) == -1 && fstat(-1, &status) == -1 && fcntl(-1, F_GETFL) == -1 && !isatty(-1));
  int by = epoll_create1(0);
  if (by >= 0) assert(epoll_wait(by, &event, 0, 0) == -1 && errno == EINVAL);
  assert(inet_ntop(AF_INET, &address, text, sizeof text) == text && strlen(text) >= 7 && strlen(text) < 16);
  assert(!inet_ntop(AF_INET, &address, small, sizeof small) && errno == ENOSPC);
  int one = socket(AF_INET, SOCK_STREAM, 0);
  if (one >= 0 && !getsockopt(one, SOL_SOCKET, SO_ERROR, &error, &size)) assert(error >= 0 && size == sizeof error);
  return 0;
}
