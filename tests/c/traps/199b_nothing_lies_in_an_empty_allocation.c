// verdict: bug deref
#include <stdlib.h>
int main(void) {
    char *p = malloc(0);
    *p = 1;
    free(p);
    return 0;
}
