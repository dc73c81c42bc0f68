// Two clients of a server that never ends: what is read of them is any, and few executions show the race.
// verdict: bug race
// options: --verify
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int total;

void *serve(void *arg) {
  int client = (int)(long)arg;
  char bytes[64];
  ssize_t n;
  while ((n = recv(client, bytes, sizeof bytes, 0)) > 0) {
    total += n;
    send(client, bytes, n, 0);
  }
  close(client);
  return 0;
}

int main(void) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(8080)};
  if (bind(server, (struct sockaddr *)&place, sizeof place) < 0 || listen(server, 5) < 0) return 1;
  for (;;) {
    int client = accept(server, 0, 0);
    if (client < 0) continue;
    pthread_t t;
    pthread_create(&t, 0, serve, (void *)(long)client);
    pthread_detach(t);
  }
}
