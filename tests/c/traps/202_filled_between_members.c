// verdict: inconclusive
#include <assert.h>
#include <string.h>
struct pair { int number; char letter; };
int main(void) {
    struct pair one;
    memset(&one, 0xff, sizeof one);
    assert(((unsigned char *)&one)[5] == 0xff);
    return 0;
}
