// verdict: safe
// The block is no array of numbers: five bytes hold one, and a byte before it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int number = 7, read = 0;
    char *message = malloc(1 + sizeof number);
    if (!message) return 1;
    memset(message, 0, 5);
    memcpy(message + 1, &number, sizeof number);
    message[0] = 9;
    memcpy(&read, message, sizeof read);
    assert(message[4] == 0 && read == 0x0709);
    int *block = malloc(10);
    if (!block) return 1;
    block[1] = 3;
    ((char *)block)[9] = 4;
    assert(block[1] == 3);
    free(block);
    free(message);
    return 0;
}
