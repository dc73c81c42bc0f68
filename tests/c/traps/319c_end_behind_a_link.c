// verdict: bug index
#include <unistd.h>

// `readlink` may fill the array, and writes no end.
int main(void) {
    char link[8];
    ssize_t length = readlink("/proc/self/exe", link, sizeof link);
    if (length < 0) return 1;
    link[length] = 0;
    return 0;
}
