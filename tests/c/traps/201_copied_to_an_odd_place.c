// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static void put(void *to, const void *from, size_t size) { memcpy(to, from, size); }
int main(void) {
    int number = 7, read = 0;
    short small = 5;
    char *message = malloc(64);
    if (!message) return 1;
    message[0] = 1;
    memcpy(message + 1, &number, sizeof number);
    put(message + 5, &small, sizeof small);
    memcpy(&read, message + 1, sizeof read);
    assert(read == 7 && message[5] == 5);
    free(message);
    int row[4] = {0x01020304, 0};
    memmove((char *)row + 3, row, 4);
    assert(row[0] == 0x04020304 && row[1] == 0x00010203);
    memcpy(&read, (char *)row + 5, 4);
    assert(read == 0x0102);
    return 0;
}
