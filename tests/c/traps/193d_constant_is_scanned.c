// verdict: bug deref
#include <stdio.h>
int main(void) {
    static const int k = 1;
    scanf("%d", (int *)&k);
    return 0;
}
