// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

int main(void) {
    char text[6];
    assert(strlcpy(text, "hello world", 6) == 11 && !strcmp(text, "hello"));
    assert(strlcat(text, "xx", 6) == 7 && !strcmp(text, "hello"));
    text[2] = 0;
    assert(strlcat(text, "xxxxx", 6) == 7 && !strcmp(text, "hexxx") && strlcat(text, "xx", 2) == 4);
    return 0;
}
