// verdict: bug deref
#include <sys/uio.h>

// The second part is longer than its array.
int main(void) {
    char head[2], rest[3];
    struct iovec parts[2] = {{head, 2}, {rest, 4}};
    return readv(0, parts, 2) < 0;
}
