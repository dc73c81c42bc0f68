// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

// As much as there is room for is read or written, or the call fails.
int main(void) {
    int flags = fcntl(0, F_GETFL);
    if (flags != -1 && fcntl(0, F_SETFL, flags | O_NONBLOCK) == -1) assert(errno);
    char link[5], head[2], rest[3];
    ssize_t length = readlink("/proc/self/exe", link, 4);
    assert(length >= -1 && length <= 4 && length != 0);
    if (length > 0) link[length] = 0;
    struct iovec parts[2] = {{head, 2}, {rest, 3}};
    length = readv(0, parts, 2);
    assert(length >= -1 && length <= 5);
    length = writev(1, parts, 2);
    assert(length <= 5 && pread(0, rest, 3, 0) <= 3 && pwrite(1, head, 2, 0) <= 2);
    return 0;
}
