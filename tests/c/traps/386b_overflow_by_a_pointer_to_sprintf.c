// verdict: bug deref
#include <stdio.h>

int main(void) {
    char text[4];
    int (*to)(char *, const char *, ...) = sprintf;
    to(text, "%d", 123);
    to(text, "%d", 1234);
    return 0;
}
