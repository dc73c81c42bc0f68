// verdict: bug assertion
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
static void handle(int n) { assert(n != SIGABRT); }
int main(void) {
  signal(SIGABRT, handle);
  abort();
}
