// verdict: bug assertion
#include <assert.h>
#include <unistd.h>
int main(void) { assert(getpid() != 4242); }
