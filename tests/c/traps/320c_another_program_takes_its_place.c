// verdict: safe
#include <assert.h>
#include <errno.h>
#include <unistd.h>

// Nothing comes after a call that does not fail.
int main(void) {
    char *words[] = {"ls", "-l", NULL};
    errno = 0;
    assert(execvp("no-such-program", words) == -1 && errno);
    assert(execl("/no/such/program", "ls", "-l", (char *)NULL) == -1);
    return 0;
}
