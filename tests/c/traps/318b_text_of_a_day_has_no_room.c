// verdict: bug deref
#define _GNU_SOURCE
#include <time.h>

// The text has 26 characters.
int main(void) {
    char text[25];
    time_t now = time(NULL);
    ctime_r(&now, text);
    return 0;
}
