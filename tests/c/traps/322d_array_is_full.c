// verdict: bug deref
#include <search.h>

static int compare(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }

int main(void) {
    int all[2] = {1, 2}, key = 3;
    size_t count = 2;
    lsearch(&key, all, &count, sizeof(int), compare);
    return 0;
}
