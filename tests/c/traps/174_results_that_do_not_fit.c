// verdict: safe
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <strings.h>

// Operands of any integer types; the type of the result decides what fits.
int main(void) {
    int i;
    unsigned u;
    signed char c;
    size_t z;
    long long l;
    unsigned long long big = ULLONG_MAX;
    assert(__builtin_add_overflow(INT_MAX, 1, &i) && i == INT_MIN);
    assert(!__builtin_add_overflow(INT_MAX, 1, &u) && u == 1u + INT_MAX);
    assert(__builtin_sub_overflow(1, 2, &u) && u == UINT_MAX);
    assert(!__builtin_sub_overflow(1u, 2u, &i) && i == -1);
    assert(__builtin_mul_overflow(16, 8, &c) && c == -128);
    assert(!__builtin_mul_overflow(16, -8, &c) && c == -128);
    assert(__builtin_mul_overflow((size_t)1 << 33, (size_t)1 << 31, &z) && z == 0);
    assert(!__builtin_mul_overflow((size_t)1 << 33, (1u << 31) - 1, &z));
    assert(!__builtin_mul_overflow(LLONG_MIN, 1, &l) && l == LLONG_MIN);
    assert(__builtin_mul_overflow(LLONG_MIN, -1, &l) && l == LLONG_MIN);
    assert(!__builtin_add_overflow(big, LLONG_MIN, &l) && l == LLONG_MAX);
    assert(__builtin_add_overflow(big, 1, &z) && !__builtin_add_overflow(big, -1, &z));
    assert(__builtin_smul_overflow(INT_MAX, 2, &i) && i == -2);
    assert(__builtin_add_overflow_p(100, 28, (signed char)0) && !__builtin_sub_overflow_p(-100, 28, (signed char)0));
    assert(ffs(8) == 4 && ffs(0) == 0);
    return 0;
}
