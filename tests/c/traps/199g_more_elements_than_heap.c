// verdict: safe
#include <assert.h>
int main(void) {
    int n = 1;
    n += 19;
    int a[3][n];
    a[2][15] = 1;
    assert(a[2][15] == 1);
    return 0;
}
