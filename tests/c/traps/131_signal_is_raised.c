// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
static int n;
static void handler(int signal) { n += signal; }

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  raise(SIGUSR1);
  assert(n == SIGUSR1);
  assert(signal(SIGUSR1, SIG_IGN) == handler);
  pthread_kill(pthread_self(), SIGUSR1);
  assert(n == SIGUSR1);
  // The program ends.
  raise(SIGTERM);
  assert(0);
}
