// Bit-fields beside each other may have more bits than any number: of any sizes, packed, copied whole and byte by byte.
// verdict: safe
#include <assert.h>
#include <string.h>

struct wide {
    unsigned a : 30;
    int b : 30;
    unsigned c : 30;
    long d : 50;
    unsigned e : 5;
};

struct __attribute__((packed)) tight {
    unsigned a : 30;
    int b : 30;
    unsigned c : 30;
    long d : 50;
    unsigned e : 5;
};

static struct wide initial = {1, -2, 3, -4, 5};

int main(void) {
    struct wide one = {1, -2, 3, -4, 5}, two;
    struct tight packed = {.d = -7, .c = 0x3fffffff};
    assert(sizeof(struct tight) == 19 && sizeof(struct wide) == 24);
    one.c -= 2;
    one.d *= 1000;
    one.b--;
    assert(one.a == 1 && one.b == -3 && one.c == 1 && one.d == -4000 && one.e == 5);
    two = one;
    assert(two.d == -4000 && initial.d == -4 && initial.e == 5);
    packed.b = -1;
    packed.e = 9;
    packed.c++;
    assert(packed.a == 0 && packed.b == -1 && packed.c == 0 && packed.d == -7 && packed.e == 9 % 32);
    memcpy(&one, &initial, sizeof one);
    assert(one.b == -2 && one.d == -4);
    return 0;
}
