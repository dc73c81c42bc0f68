// Memory that is given back is not modelled yet.
// verdict: refused
#include <stdlib.h>
int main(void) { int *p = malloc(sizeof(int)); *p = 1; free(p); return 0; }
