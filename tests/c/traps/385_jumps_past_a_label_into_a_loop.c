// Jumps lead past a label to a later one, which begins a loop.
// verdict: safe
#include <assert.h>

static int n, x;

static int past(int far) {
    if (far) goto loop;
skipped:
    x++;
    if (x < 2) goto skipped;
loop:
    n++;
    if (n < 3) goto loop;
    return n;
}

int main(void) {
    assert(past(1) == 3 && x == 0);
    n = 0;
    assert(past(0) == 3 && x == 2);
    return 0;
}
