// verdict: safe
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 3 || m < 1 || m > 3) return 0;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = 10 * i + j;
    assert(a[n - 1][m - 1] == 10 * (n - 1) + m - 1);
    int b[2][m];
    b[1][m - 1] = 3;
    assert(b[1][m - 1] == 3);
    return 0;
}
