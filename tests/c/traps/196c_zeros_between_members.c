// verdict: safe
#include <assert.h>
struct s { char c; int i; } x, y = {1, 2};
int main(void) {
    unsigned char *p = (unsigned char *)&x, *q = (unsigned char *)&y;
    for (unsigned i = 0; i < sizeof x; i++) p[i] = q[i];
    assert(x.c == 1 && x.i == 2 && p[1] == 0);
    return 0;
}
