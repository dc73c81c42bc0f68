// `valloc` beside `mmap`, whose memory may not be freed; headers of packets.
// verdict: bug deref
#include <assert.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
  int size = 100;
  long page = 4096;
  char *p = valloc(size + page);
  char *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert((unsigned long)p % 4096 == 0);
  if (m != MAP_FAILED) munmap(m, 4096);
  __sigset_t none;
  sigemptyset(&none);
  struct tcphdr tcp = {.th_sport = 1};
  struct ip ip = {.ip_v = 4};
  assert(sizeof tcp == 20 && sizeof ip == 20 && tcp.source == 1 && ip.ip_v == 4);
  p[4196] = 1;
}
