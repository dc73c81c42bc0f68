// A constructor without a priority does not come before one that has one.
// verdict: bug assertion
#include <assert.h>
static int ready;
__attribute__((constructor)) static void use(void) { assert(!ready); }
__attribute__((constructor(101))) static void prepare(void) { ready = 1; }
int main(void) { return 0; }
