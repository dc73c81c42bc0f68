// verdict: bug deref
#include <string.h>
int main(void) {
    static const int k = 1;
    memset((void *)&k, 0, sizeof k);
    return 0;
}
