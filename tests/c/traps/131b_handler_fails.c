// verdict: bug assertion
#include <assert.h>
#include <signal.h>
static void handler(int signal) { assert(signal != SIGUSR2); }

int main(void) {
  signal(SIGUSR2, handler);
  raise(SIGUSR2);
}
