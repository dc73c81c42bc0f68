// verdict: safe
#include <assert.h>

// What a typedef asks for counts in records; what a variable or a member asks for counts for itself.
typedef int line __attribute__((aligned(16)));
typedef line again;
typedef struct { long value; } slot __attribute__((aligned(64)));
typedef long lower __attribute__((aligned(4)));
struct padded { char tag; line x; };
struct twice { char tag; again x; };
struct close { int tag; lower x; };
struct row { char tag; slot of; };
struct member { char tag; int own __attribute__((aligned(8))); } s;
struct packed { char tag; int own; } __attribute__((packed)) p;
struct taken { char tag; __typeof__(s.own) own; };
int x __attribute__((aligned(32)));
_Alignas(64) char y;
struct apart { char tag; __typeof__(x) x; };

static line sum(line *from, const line *to) { return *from + *to; }

int main(void) {
    assert(sizeof(struct padded) == 32 && sizeof(struct twice) == 32);
    assert(sizeof(struct close) == 12 && sizeof(slot) == 8 && sizeof(struct row) == 128);
    assert(_Alignof(line) == 16 && _Alignof(again) == 16 && _Alignof(slot) == 64);
    assert(__alignof__(x) == 32 && __alignof__(y) == 64);
    assert(__alignof__(s.own) == 8 && __alignof__(p.own) == 1);
    assert(sizeof(struct taken) == 8 && sizeof(struct apart) == 8);
    int local __attribute__((aligned(128)));
    line one = 1, two = 2;
    int plain = 3, *leads = &one;
    line *back = &plain;
    struct row rows[2] = {{'a', {7}}, {'b', {8}}};
    slot *of = &rows[1].of;
    assert(__alignof__(local) == 128 && __alignof__(one) == 16);
    assert(sum(&one, &two) == 3 && sum(back, leads) == 4);
    assert(of->value == 8 && (char *)of - (char *)rows == 192);
    return 0;
}
