// verdict: safe
#include <assert.h>
unsigned long u = -1UL;
int main(void) {
    float f = (float)u;
    assert(f == 18446744073709551616.0f);
    unsigned long v = 1ul << 63;
    f = v;
    assert(f == 0x1p63f);
    v = 0x8000008000000001;
    f = v;
    assert(f == 0x1.000002p63f);
    v = 0x8000008000000000;
    f = v;
    assert(f == 0x1p63f);
    long w = 0x4000004000000001;
    f = w;
    assert(f == 0x1.000002p62f);
    w = -0x4000004000000001;
    f = w;
    assert(f == -0x1.000002p62f);
    f = 1e19f;
    v = f;
    assert(v == 9999999980506447872UL);
    return 0;
}
