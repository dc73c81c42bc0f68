// verdict: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

// `#pragma pack` counts at the end of a structure.
#pragma pack(1)
struct close { char c; int n; };
#pragma pack()
struct apart { char c; int n; };
#pragma pack(push, 2)
struct two { char c; int n; short s : 9; int t : 30; };
#pragma pack(push, outer, 1)
#pragma pack(push)
#pragma pack(4)
struct four { char c; long long n; _Alignas(16) int far; };
#pragma pack(pop, outer)
struct again { char c; int n; };
#pragma pack(pop)
_Pragma("pack(push, 1)") struct word { char c; int n; } __attribute__((aligned(8))); _Pragma("pack(pop)")
struct late { char c; int n;
#pragma pack(1)
};
#pragma pack(0)

int main(void) {
    assert(sizeof(struct close) == 5 && _Alignof(struct close) == 1);
    assert(sizeof(struct apart) == 8);
    assert(sizeof(struct two) == 12 && offsetof(struct two, n) == 2);
    assert(sizeof(struct four) == 16 && offsetof(struct four, far) == 12);
    assert(sizeof(struct again) == 6);
    assert(sizeof(struct word) == 8 && offsetof(struct word, n) == 1);
    assert(sizeof(struct late) == 5);
    unsigned char wire[] = {7, 5, 0, 0, 0, 9, 9, 9};
    struct close h;
    memcpy(&h, wire, sizeof h);
    assert(h.c == 7 && h.n == 5);
    return 0;
}
