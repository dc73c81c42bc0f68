// A jump past a declaration leaves the array without values. What is stored behind it is there.
// verdict: safe
#include <assert.h>

struct pair { int a, b; };

static int far(int skip) {
    if (skip) goto behind;
    int q[3] = { 1, 2, 3 };
    struct pair p = { 4, 5 };
    assert(q[2] == 3 && p.b == 5);
behind:
    q[0] = 6;
    p.a = 7;
    return q[0] + p.a;
}

int main(void) {
    assert(far(0) == 13);
    assert(far(1) == 13);
    return 0;
}
