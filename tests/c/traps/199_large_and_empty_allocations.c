// verdict: safe
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    uint64_t *d = malloc(100000 * sizeof *d);
    d[99999] = 1;
    free(d);
    char *p = malloc(0);
    free(p);
    return 0;
}
