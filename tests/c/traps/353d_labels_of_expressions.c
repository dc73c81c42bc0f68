// Each expression has labels of its own, and may go to those of its function.
// verdict: safe
#include <assert.h>

#define AT_LEAST(least, x) ({ __label__ out; int r = (x); void *p = &&out; if (r >= least) goto *p; r = least; out: r; })

static int last(int n) {
    void *end = &&leave;
    int sum = 0;
    for (;;) sum += ({ __label__ own; void *p = n ? &&own : end; goto *p; own: n--; });
leave:
    return sum;
}

int main(void) {
    int a = AT_LEAST(3, 2), b = AT_LEAST(3, 7);
    assert(a == 3 && b == 7);
    assert(last(3) == 6);
    return 0;
}
