// verdict: bug deref
static void clear(int n, int m, int a[n][m]) { a[n][0] = 0; }
int main(void) {
    int n = 2, m = 3;
    n += m == 2;
    int a[n][m];
    clear(n, m, a);
    return 0;
}
