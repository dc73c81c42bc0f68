// With SA_NODEFER the signal comes within its handler.
// verdict: safe
#include <assert.h>
#include <signal.h>
static int n;
static void handle(int signal) {
  n++;
  if (n < 3) {
    raise(signal);
    assert(n == 3);
  }
}
int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  assert(n == 3);
}
