// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int words(const void *a, const void *b) { return strcmp(a, b); }
static int pairs(const void *a, const void *b) { return (*(const int (*)[2])a)[1] - (*(const int (*)[2])b)[1]; }

int main(void) {
    char w[3][8] = {"pear", "fig", "kiwi"};
    int p[3][2] = {{1, 30}, {2, 10}, {3, 20}};
    qsort(w, 3, sizeof w[0], words);
    assert(!strcmp(w[0], "fig") && !strcmp(w[1], "kiwi") && !strcmp(w[2], "pear"));
    qsort(p, 3, sizeof *p, pairs);
    assert(p[0][0] == 2 && p[1][0] == 3 && p[2][0] == 1);
    char (*kiwi)[8] = bsearch("kiwi", w, 3, sizeof w[0], words);
    assert(kiwi == &w[1]);
    return 0;
}
