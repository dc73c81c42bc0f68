// verdict: bug assertion
#include <assert.h>

int main(void) {
    goto behind;
    int q[2] = { 1, 2 };
behind:
    q[0] = 3;
    assert(q[0] == 3 && q[1] == 2);
    return 0;
}
