// Destructors run in the reverse order of constructors.
// verdict: bug assertion
#include <assert.h>
static int closed;
__attribute__((destructor(101))) static void report(void) { assert(!closed); }
__attribute__((destructor(102))) static void shut(void) { closed = 1; }
int main(void) { return 0; }
