// verdict: bug assertion
#include <assert.h>

// It has any value then, also where its address is taken.
int main(void) {
    int x = x;
    int y = y + 0, *p = &y;
    assert(x != 7 || *p != 9);
    return 0;
}
