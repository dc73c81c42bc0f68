// verdict: bug deref
#include <unistd.h>

int main(void) {
    char *words[] = {"ls", "-l"};
    return execv("/bin/ls", words);
}
