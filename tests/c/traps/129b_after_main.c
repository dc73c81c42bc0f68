// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
static int x;
__attribute__((destructor)) static void end(void) { assert(x == 4); }

int main(void) { exit(0); }
