// verdict: safe
#include <assert.h>
#include <string.h>
union parts { int i; unsigned char c[8]; } u;
long l;
int k;
int main(void) {
    u.i = 0x01020304;
    u.c[7] = 1;
    memcpy(&l, u.c, sizeof l);
    k = (double)u.i;
    assert(l == 0x0100000001020304 && k == 0x01020304);
    l = 0x1122334455667788;
    memcpy(u.c, &l, sizeof l);
    assert(u.i == 0x55667788 && u.c[7] == 0x11);
    return 0;
}
