// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Calls on files may fail, and a name that is made keeps its beginning.
int main(void) {
    char name[] = "/tmp/abXXXXXX", wrong[] = "/tmp/XXXXX";
    int file = mkstemp(name);
    assert(!strncmp(name, "/tmp/ab", 7) && strlen(name) == 13 && file >= -1);
    errno = 0;
    assert(mkstemp(wrong) == -1 && errno == EINVAL && !strcmp(wrong, "/tmp/XXXXX"));
    if (ftruncate(file, 0) || fsync(file) || chmod("/tmp/ab", 0600) || symlink("/tmp/ab", "/tmp/cd")) assert(errno);
    umask(022);
    assert(umask(0) == 022);
    return 0;
}
