// verdict: bug assertion
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static void handle(int n, siginfo_t *info, void *context) { assert(info->si_value.sival_int != 3); }
int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  for (int i = 0; i < 5; i++) sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = i});
}
