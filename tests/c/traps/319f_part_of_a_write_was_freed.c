// verdict: bug deref
#include <stdlib.h>
#include <sys/uio.h>

int main(void) {
    char *text = malloc(4);
    struct iovec part = {text, 4};
    for (int at = 0; at < 4; at++) text[at] = 'a';
    free(text);
    return writev(1, &part, 1) < 0;
}
