// verdict: safe
#include <assert.h>
#include <signal.h>
static void handle(int n) {
  struct sigaction now;
  sigaction(SIGUSR1, 0, &now);
  assert(now.sa_handler == SIG_DFL);
}
int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND}, now;
  sigaction(SIGUSR1, &action, &now);
  assert(now.sa_flags == 0);
  raise(SIGUSR1);
  signal(SIGUSR1, handle);
  sigaction(SIGUSR1, 0, &now);
  assert(now.sa_flags & SA_RESTART && !(now.sa_flags & SA_RESETHAND) && now.sa_handler == handle);
}
