// verdict: bug assertion
#include <assert.h>
int main(void) {
    int n = 2;
    int a[n][n];
    a[0][0] = 1;
    assert(a[1][1] != 5);
    return 0;
}
