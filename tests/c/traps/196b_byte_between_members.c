// verdict: inconclusive
#include <assert.h>
struct s { char c; int i; } x;
int main(void) {
    unsigned char *p = (unsigned char *)&x;
    p[1] = 7;
    assert(p[1] == 0);
    return 0;
}
