// The number of the process is any, and always the same.
// verdict: safe
#include <assert.h>
#include <unistd.h>
int main(void) { assert(getpid() == getpid() && getpid() > 0 && getpid() == gettid()); }
