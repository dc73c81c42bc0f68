// With SA_RESETHAND the second signal has its default action: it ends the program.
// verdict: safe
#include <assert.h>
#include <signal.h>
static void handle(int n) {}
int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND};
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(0);
}
