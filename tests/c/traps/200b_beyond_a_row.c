// verdict: bug index
// The element lies within the array, and behind its row.
static int next(int n, int m, int a[n][m]) { return a[0][m]; }
int main(void) {
    int a[2][3] = {{0}};
    return next(2, 3, a);
}
