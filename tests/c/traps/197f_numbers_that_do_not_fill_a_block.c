// verdict: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(10);
    p[0] = 1;
    p[1] = 2;
    unsigned char *q = (unsigned char *)p;
    *(short *)(q + 8) = 4;
    assert(p[1] == 2 && q[8] == 4);
    free(p);
    return 0;
}
