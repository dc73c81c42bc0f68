// verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
typedef uint8_t block[4][4];
static void shift(block *b) {
    uint8_t first = (*b)[0][1];
    (*b)[0][1] = (*b)[1][1];
    (*b)[1][1] = first;
    for (int i = 0; i < 4; i++) (*b)[i][3] += i;
}
static int joined(int (*m)[2], int n) {
    int all = 0;
    for (int i = 0; i < n; i++) all = all * 100 + m[i][0] * 10 + m[i][1];
    return all;
}
int main(void) {
    uint8_t bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = i;
    shift((block *)bytes);
    assert(bytes[1] == 5 && bytes[5] == 1 && bytes[15] == 18);
    int row[6] = {1, 2, 3, 4, 5, 6};
    assert(joined((int (*)[2])row, 3) == 123456);
    int *made = malloc(4 * sizeof *made);
    if (!made) return 1;
    for (int i = 0; i < 4; i++) made[i] = i;
    assert(joined((int (*)[2])made, 2) == 123);
    free(made);
    return 0;
}
