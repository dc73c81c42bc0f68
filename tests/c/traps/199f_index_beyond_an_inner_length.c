// verdict: bug index
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 3 || m < 1 || m > 3) return 0;
    int a[n][m];
    a[0][n] = 1;
    return 0;
}
