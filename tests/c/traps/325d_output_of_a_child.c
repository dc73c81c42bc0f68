// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[8];
    FILE *from = popen("ls", "r");
    if (!from) return 1;
    while (fgets(line, sizeof line, from)) fputs(line, stdout);
    int status = pclose(from);
    if (status == -1) return 1;
    if (WIFEXITED(status)) assert(WEXITSTATUS(status) <= 255);
    from = freopen("/dev/null", "r", stdin);
    if (from) assert(from == stdin);
    return 0;
}
