// verdict: safe
// The larger memory is for objects that a function of the C library makes.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *one = strdup("fourteen chars");
    if (!one) return 1;
    assert(strlen(one) == 14);
    free(one);
    char *two = strndup("A", 2);
    if (!two) return 1;
    assert(two[0] == 'A');
    free(two);
    return 0;
}
