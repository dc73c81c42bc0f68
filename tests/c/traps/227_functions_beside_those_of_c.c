// Functions of POSIX and GNU beside those of C, and constants of headers.
// verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <assert.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <sys/resource.h>
#include <netdb.h>
#include <signal.h>
#include <termios.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <syslog.h>
#include <stdio.h>
#include <unistd.h>
#include <errno.h>
atomic_int_fast8_t a; atomic_char16_t c16; atomic_wchar_t w;
int main(void) {
  char b[8] = "xxxxxxx";
  assert(stpncpy(b, "ab", 5) == b + 2 && b[4] == 0 && b[5] == 'x');
  assert(stpncpy(b, "abcdef", 3) == b + 3 && b[3] == 0);
  assert(memccpy(b, "hello", 'l', 5) == b + 3 && b[2] == 'l' && b[3] == 0);
  assert(memccpy(b, "hello", 'z', 5) == 0 && b[4] == 'o');
  int *p = reallocarray(0, 3, sizeof *p);
  if (!p) return 0;
  p[2] = 4;
  int *q = reallocarray(p, 5, sizeof *q);
  if (!q) { free(p); return 0; }
  assert(q[2] == 4);
  assert(!reallocarray(q, (size_t)-1 / 2, sizeof *q) && errno == ENOMEM);
  free(q);
  assert(lroundf(2.5f) == 3 && lrintf(2.5f) == 2 && llroundf(-2.5f) == -3 && llrintf(3.5f) == 4);
  assert(SI_USER == 0 && WCONTINUED == 8 && NI_MAXHOST == 1025 && EAI_MEMORY == -10 && SOCK_SEQPACKET == 5 && RUSAGE_CHILDREN == -1);
  assert(WIFSTOPPED(0x137f) && WSTOPSIG(0x137f) == 19 && !WIFSIGNALED(0x137f) && WIFSIGNALED(9));
  atomic_store(&a, 1); atomic_fetch_add(&c16, 1);
  assert(a == 1 && c16 == 1 && ATOMIC_CHAR16_T_LOCK_FREE == 2);
}
