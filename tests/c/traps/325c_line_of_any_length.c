// verdict: bug deref
#include <stdio.h>
char *gets(char *);

int main(void) {
    char line[16];
    return gets(line) == NULL;
}
