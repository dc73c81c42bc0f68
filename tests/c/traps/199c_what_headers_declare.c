// verdict: safe
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
extern int errno;
int main(void) {
    uint8_t a;
    uint32_t b;
    errno = 3;
    assert(errno == 3 && PATH_MAX == 4096 && __builtin_abs(-4) == 4);
    assert(sscanf("7 9", "%" SCNu8 " %" SCNu32, &a, &b) == 2 && a == 7 && b == 9);
    return 0;
}
