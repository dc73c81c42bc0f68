// A jump comes back to `setjmp` with the number that it was given.
// verdict: bug assertion
#include <assert.h>
#include <setjmp.h>
static jmp_buf at;
static void fail(int why) { longjmp(at, why); }
static void work(int n) { if (n > 1) fail(n + 3); }
int main(void) {
  int why = setjmp(at);
  if (why == 0) work(2);
  assert(why != 5);
}
