// verdict: bug deref
// A plain `return &x` within one thread.
#include <assert.h>

static int *counted(int from) {
    int count = from + 1;
    int *at = &count;
    return at;
}

int main(void) {
    int *p = counted(1);
    return *p == 2;
}
