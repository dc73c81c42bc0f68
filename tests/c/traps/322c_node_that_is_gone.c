// verdict: bug deref
#include <search.h>
#include <stddef.h>

static int compare(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }

int main(void) {
    void *tree = NULL;
    int key = 1;
    int **node = tsearch(&key, &tree, compare);
    tdelete(&key, &tree, compare);
    return **node;
}
