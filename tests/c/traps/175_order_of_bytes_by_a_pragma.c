// verdict: refused
#include <assert.h>

#pragma scalar_storage_order big-endian
struct wire { unsigned char kind; unsigned short length; };

int main(void) {
    union { struct wire w; unsigned char bytes[4]; } u = {{1, 2}};
    assert(u.bytes[2] == 2);
    return 0;
}
