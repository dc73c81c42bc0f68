// verdict: bug deref
#define _GNU_SOURCE
#include <unistd.h>

// The size is not that of the array.
int main(void) {
    char name[4];
    return gethostname(name, 64);
}
