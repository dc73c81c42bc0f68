// verdict: inconclusive
#include <assert.h>
#include <string.h>
struct pair { int number; char letter; };
int main(void) {
    struct pair one;
    unsigned char bytes[sizeof one] = {1, 2, 3, 4, 5, 6, 7, 8}, again[sizeof one] = {0};
    memcpy(&one, bytes, sizeof one);
    memcpy(again, &one, sizeof one);
    assert(again[6] != 7);
    return 0;
}
