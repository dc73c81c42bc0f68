// `longjmp` out of a handler leaves its signal blocked; a `sigsetjmp` that has kept the mask gives it back.
// verdict: safe
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static jmp_buf plain;
static sigjmp_buf keeps;
static volatile int n;
static void handle(int signal) {
  n++;
  if (n == 1) longjmp(plain, 1);
  if (n == 2) siglongjmp(keeps, 1);
}
int main(void) {
  sigset_t now;
  signal(SIGUSR1, handle);
  if (sigsetjmp(keeps, 1) == 0) {
    if (setjmp(plain) == 0) raise(SIGUSR1);
    assert(n == 1);
    sigprocmask(SIG_BLOCK, 0, &now);
    assert(sigismember(&now, SIGUSR1));
    raise(SIGUSR1);
    assert(n == 1);
    // The signal that waits comes here.
    sigemptyset(&now);
    sigprocmask(SIG_SETMASK, &now, 0);
    assert(0);
  }
  assert(n == 2);
  raise(SIGUSR1);
  assert(n == 3);
}
