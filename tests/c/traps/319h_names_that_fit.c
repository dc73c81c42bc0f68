// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char name[65], small[3];
    if (gethostname(name, sizeof name) == 0) assert(name[64] == 0);
    if (gethostname(small, sizeof small) == 0) assert(small[2] == 0);
    char *whole = realpath(".", NULL);
    if (whole) assert(whole[0] == '/');
    free(whole);
    char *terminal = ttyname(0);
    return terminal && terminal[0] != '/';
}
