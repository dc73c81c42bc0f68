// verdict: bug deref
#include <string.h>
int main(void) {
    int row[4] = {0}, number = 1;
    memcpy((char *)row + 13, &number, sizeof number);
    return 0;
}
