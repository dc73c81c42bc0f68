// `inet_pton` and its like.
// verdict: safe
#include <arpa/inet.h>
#include <assert.h>

int main(void) {
  struct in_addr a;
  assert(inet_pton(AF_INET, "127.0.0.1", &a) == 1 && a.s_addr == htonl(INADDR_LOOPBACK));
  assert(inet_pton(AF_INET, "256.0.0.1", &a) == 0);
  assert(inet_pton(AF_INET, "1.2.3", &a) == 0 && inet_pton(AF_INET, "1.2.3.4.5", &a) == 0);
  assert(inet_pton(AF_INET, "01.2.3.4", &a) == 0 && inet_pton(AF_INET, "1.2.3.4 ", &a) == 0);
  assert(inet_addr("1.2.3.4") == htonl(0x01020304));
  assert(inet_aton("0.0.0.0", &a) == 1 && a.s_addr == INADDR_ANY);
  char text[INET_ADDRSTRLEN];
  const char *shown = inet_ntop(AF_INET, &a, text, sizeof text);
  assert(!shown || shown == text && text[INET_ADDRSTRLEN - 1] == 0);
  return 0;
}
