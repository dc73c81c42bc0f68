// verdict: safe
// options: --data-model ILP32
#include <assert.h>

// A `long long` is aligned to four bytes in records: a bit-field of it may begin in any of them.
struct zero { char a : 1; long long : 0; char b : 1; };
struct wide { short a; short b; short c : 16; long long d : 45; };
struct moved { char a; long long b : 60; };

int main(void) {
    assert(sizeof(struct zero) == 5 && sizeof(struct wide) == 12 && sizeof(struct moved) == 12);
    struct wide w = {1, 2, 3, -4};
    assert(w.a == 1 && w.b == 2 && w.c == 3 && w.d == -4);
    return 0;
}
