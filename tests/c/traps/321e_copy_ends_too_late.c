// verdict: bug deref
#define _GNU_SOURCE
#include <string.h>

int main(void) {
    char text[4];
    return *(char *)mempcpy(text, "abcd", 5);
}
