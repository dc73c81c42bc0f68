// verdict: safe
#include <assert.h>
#include <stdlib.h>
static void fill(int n, int m, int a[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
}
static int last(int n, int m, int (*a)[m]) { return a[n - 1][m - 1]; }
int main(void) {
    int n = 2, m = 3;
    n += m == 2;
    int a[n][m];
    fill(n, m, a);
    assert(last(n, m, a) == 12);
    assert(sizeof a == 24 && sizeof a[0] == 12);
    int (*row)[m] = a;
    row++;
    assert((*row)[0] == 10 && row - a == 1);
    int *second = &a[0][1];
    assert(second + 2 == a[1] && second[2] == 10);
    int (*made)[m] = malloc(n * sizeof *made);
    if (!made) return 1;
    fill(n, m, made);
    assert(made[1][1] == 11);
    free(made);
    int known[2][3];
    fill(2, 3, known);
    assert(known[1][0] == 10);
    int three[3][n];
    fill(3, n, three);
    assert(three[2][1] == 21);
    int deep[n][2][m];
    deep[1][1][2] = 7;
    assert((&deep[0][0][0])[11] == 7);
    return 0;
}
