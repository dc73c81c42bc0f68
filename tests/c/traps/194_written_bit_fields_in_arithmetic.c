// verdict: safe
#include <assert.h>
struct { unsigned lo : 4; } b = {9};
int main(void) {
    assert((0, b.lo) - 10 < 0);
    assert((b.lo = 3) - 10 < 0);
    assert((b.lo += 1) - 12 < 0);
    assert(++b.lo - 12 < 0);
    return 0;
}
