// verdict: safe
#include <assert.h>

// A bit-field begins where its own attributes say.
struct aligned { char c; int b : 3 __attribute__((aligned(8))); };
struct halves { char c; int b : 3 __attribute__((aligned(2))); int d : 4; };
struct close { char c; int b : 30 __attribute__((packed)); int d : 4; };
struct bytes { char c; int b : 3 __attribute__((aligned(1))); int d : 20; };
struct apart { char c; int b : 20 __attribute__((aligned(1))); int d : 20; };
struct last { char c; _Alignas(8) int x; int : 0 __attribute__((aligned(8))); char y; };
struct middle { int a : 5; int b : 3 __attribute__((aligned(4))); int c : 7; char d; };
struct __attribute__((packed)) both { char c; int b : 3 __attribute__((aligned(4))); int d : 9; };
struct before { char c; int b : 25; __attribute__((aligned(8))) int d : 9; };
union __attribute__((packed)) joined { int b : 3; char c; };

int main(void) {
    assert(sizeof(struct aligned) == 16 && _Alignof(struct aligned) == 8);
    assert(sizeof(struct halves) == 4 && sizeof(struct bytes) == 4);
    assert(sizeof(struct close) == 8 && sizeof(struct apart) == 8);
    assert(sizeof(struct last) == 24 && sizeof(struct middle) == 8);
    assert(sizeof(struct both) == 8 && _Alignof(struct both) == 4);
    assert(sizeof(struct before) == 16 && sizeof(union joined) == 1);
    struct middle m = {1, -2, 3, 'd'};
    struct both b = {'c', 3, -5};
    assert(m.a == 1 && m.b == -2 && m.c == 3 && m.d == 'd');
    assert(b.c == 'c' && b.b == 3 && b.d == -5);
    return 0;
}
