// verdict: bug deref
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 4;
    size_t v = *(size_t *)(void *)p;
    free(p);
    return v == 4;
}
