// What a program sends to itself by sockets is not followed.
// verdict: inconclusive
// options: --require-exhaustive
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(4000)};
  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), got;
  if (server < 0 || client < 0 || bind(server, (struct sockaddr *)&place, sizeof place) || listen(server, 1)) return 0;
  if (connect(client, (struct sockaddr *)&place, sizeof place)) return 0;
  int end = accept(server, 0, 0), number = 7;
  if (end < 0 || send(client, &number, 4, 0) != 4 || recv(end, &got, 4, 0) != 4) return 0;
  assert(got == 7);
  return 0;
}
