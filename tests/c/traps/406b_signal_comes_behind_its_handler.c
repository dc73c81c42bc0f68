// verdict: bug assertion
#include <assert.h>
#include <signal.h>
static int n;
static void handle(int signal) {
  n++;
  if (n == 1) {
    raise(signal);
    n = 100;
  }
}
int main(void) {
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  assert(n == 100);
}
