// It ends behind the handler, unless that jumps away.
// verdict: safe
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static jmp_buf back;
static volatile int n;
static void jump(int signal) {
  n++;
  longjmp(back, 1);
}
static void handle(int signal) { n++; }
static void at_exit(void) { assert(0); }
int main(void) {
  sigset_t set;
  atexit(at_exit);
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  sigprocmask(SIG_BLOCK, &set, 0);
  signal(SIGABRT, jump);
  if (setjmp(back) == 0) abort();
  assert(n == 1);
  signal(SIGABRT, handle);
  abort();
  assert(0);
}
