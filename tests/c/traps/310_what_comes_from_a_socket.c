// As much comes from a socket as fits, and no byte more.
// verdict: bug deref
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct addrinfo hints = {0}, *found, *one;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo("example.org", "80", &hints, &found)) return 1;
  int s = -1;
  for (one = found; one && s < 0; one = one->ai_next) {
    s = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
    if (s >= 0 && connect(s, one->ai_addr, one->ai_addrlen) != 0) {
      close(s);
      s = -1;
    }
  }
  freeaddrinfo(found);
  if (s < 0) return 1;
  char *text = strdup("1234");
  send(s, text, 4, MSG_NOSIGNAL);
  ssize_t n = recv(s, text, 5, 0);
  if (n >= 0) text[n] = 0;
  return 0;
}
