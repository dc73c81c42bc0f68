// A signal that a thread blocks waits: handlers run when it is blocked no more, `sigwait` and `sigtimedwait` take it.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static void on(int number) {
  sigset_t now;
  came += number;
  // While it is handled, it waits.
  if (came == number) raise(number);
  assert(came == number || came == 2 * number);
  assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, number));
}

int main(void) {
  sigset_t set, old, now;
  struct timespec soon = {1, 0};
  siginfo_t info;
  int which = 0;
  signal(SIGUSR1, on);
  assert(!sigprocmask(SIG_BLOCK, NULL, &old) && !sigismember(&old, SIGUSR1));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGKILL);
  assert(!sigprocmask(SIG_BLOCK, &set, &old));
  sigprocmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGUSR1) == 1 && !sigismember(&now, SIGKILL) && !sigismember(&now, SIGTERM));
  assert(!raise(SIGUSR1) && !kill(getpid(), SIGUSR1) && came == 0);
  assert(!sigpending(&now) && sigismember(&now, SIGUSR1));
  // That of the thread comes before that of the process.
  assert(!sigwait(&set, &which) && which == SIGUSR1 && came == 0);
  assert(sigtimedwait(&set, &info, &soon) == SIGUSR1 && info.si_signo == SIGUSR1);
  errno = 0;
  assert(sigtimedwait(&set, &info, &soon) == -1 && errno == EAGAIN);
  raise(SIGUSR1);
  sigemptyset(&now);
  errno = 0;
  assert(sigsuspend(&now) == -1 && errno == EINTR && came == SIGUSR1);
  came = 0;
  pthread_kill(pthread_self(), SIGUSR1);
  assert(!sigprocmask(SIG_SETMASK, &old, NULL) && came == 2 * SIGUSR1);
  // What is blocked does not end the program.
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGTERM);
  signal(SIGTERM, SIG_IGN);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  kill(getpid(), SIGHUP);
  assert(0);
}
