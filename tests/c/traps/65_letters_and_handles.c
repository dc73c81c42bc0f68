// verdict: safe
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  unsigned seed = 1;
  sigset_t set;
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  assert(isdigit('7') && !isdigit('a') && toupper('a') == 'A' && tolower('Z') == 'z' && isspace('\n'));
  assert(rand_r(&seed) >= 0);
  assert(getopt(argc, argv, "n:") == -1);
  printf("%lu %ld\n", (unsigned long)pthread_self(), sysconf(_SC_PAGESIZE));
  return 0;
}
