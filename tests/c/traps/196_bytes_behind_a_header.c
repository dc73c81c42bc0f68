// verdict: inconclusive
#include <assert.h>
#include <stdlib.h>
struct header { unsigned magic; size_t bytes; };
int main(void) {
    struct header *h = malloc(sizeof *h + 16);
    h->magic = 1;
    h->bytes = 16;
    unsigned char *p = (unsigned char *)(h + 1);
    for (int i = 0; i < 16; i++) p[i] = 7;
    for (int i = 0; i < 16; i++) assert(p[i] == 7);
    free(h);
    return 0;
}
