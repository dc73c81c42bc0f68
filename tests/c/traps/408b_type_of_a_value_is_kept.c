// verdict: bug assertion
#include <assert.h>
static auto half = 0.5;
int main(void) { assert(half == 0); }
