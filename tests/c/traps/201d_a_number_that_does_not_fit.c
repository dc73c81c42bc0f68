// verdict: bug deref
#include <stdlib.h>
int main(void) {
    int *block = malloc(10);
    if (!block) return 1;
    block[2] = 1;
    return 0;
}
