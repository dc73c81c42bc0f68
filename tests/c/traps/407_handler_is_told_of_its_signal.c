// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile int came;
static void handle(int n, siginfo_t *info, void *context) {
  assert(info->si_signo == n && info->si_pid == getpid() && info->si_uid == getuid() && context);
  came += info->si_code == SI_TKILL ? 1 : info->si_code == SI_USER ? 10 : 100;
  if (info->si_code == SI_QUEUE) assert(info->si_value.sival_int == 42);
}
int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, old;
  sigset_t set;
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  assert(came == 1);
  kill(getpid(), SIGUSR1);
  assert(came == 11);
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42});
  assert(came == 111);
  sigaction(SIGUSR1, 0, &old);
  assert(old.sa_sigaction == handle && old.sa_flags & SA_SIGINFO);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  kill(getpid(), SIGUSR1);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  assert(came == 121);
}
