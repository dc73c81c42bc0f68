// A connection is freed while `epoll` still names it. The last of many calls that may fail shows it.
// verdict: bug deref
// options: --verify
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct client { int file, n; char bytes[8]; };

int main(void) {
  int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(1)};
  if (server < 0 || bind(server, (struct sockaddr *)&place, sizeof place) || listen(server, 3)) exit(1);
  int poll = epoll_create1(0);
  struct epoll_event asked = {.events = EPOLLIN, .data.ptr = 0}, events[4];
  if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, server, &asked)) exit(1);
  for (int turn = 0; turn < 3; turn++) {
    int n = epoll_wait(poll, events, 4, -1);
    for (int i = 0; i < n; i++) {
      struct client *client = events[i].data.ptr;
      if (!client) {
        int file = accept(server, 0, 0);
        if (file < 0) continue;
        client = calloc(1, sizeof *client);
        client->file = file;
        asked.data.ptr = client;
        if (epoll_ctl(poll, EPOLL_CTL_ADD, file, &asked)) free(client);
      } else {
        ssize_t k = read(client->file, client->bytes + client->n, sizeof client->bytes - client->n);
        if (k <= 0) free(client);
        else client->n += k;
      }
    }
  }
  return 0;
}
