// A pointer to `exit` ends the program, and what `atexit` was given runs.
// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
static int n;
static void last(void) { assert(n == 1); }
int main(void) {
  void (*end)(int) = exit;
  atexit(last);
  end(0);
  n = 1;
  return 0;
}
