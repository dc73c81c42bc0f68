/* `__builtin_add_overflow` and its like: computed with a sign and 64 bits, and compared with what the result's type holds. */
#ifndef ___OVERFLOW_H
#define ___OVERFLOW_H
typedef unsigned long long __overflow_bits;
static inline int __overflow_add(int __less, __overflow_bits __l, int __minus, __overflow_bits __r, __overflow_bits __least,
                                 __overflow_bits __most) {
  __overflow_bits __sum = __l + __r;
  if (__less == __minus) return __sum < __l || __sum > (__less ? __least : __most);
  return __l >= __r ? __l - __r > (__less ? __least : __most) : __r - __l > (__minus ? __least : __most);
}
static inline int __overflow_sub(int __less, __overflow_bits __l, int __minus, __overflow_bits __r, __overflow_bits __least,
                                 __overflow_bits __most) {
  return __overflow_add(__less, __l, !__minus, __r, __least, __most);
}
/* Of two factors at most one has more than 32 bits. */
static inline int __overflow_mul(int __less, __overflow_bits __l, int __minus, __overflow_bits __r, __overflow_bits __least,
                                 __overflow_bits __most) {
  __overflow_bits __low = 0xffffffff, __both = (__l & __low) * (__r & __low);
  if (__l >> 32 && __r >> 32) return 1;
  __overflow_bits __high = __l >> 32 ? (__l >> 32) * __r : __l * (__r >> 32);
  if (__high >> 32) return 1;
  __overflow_bits __all = __both + (__high << 32);
  return __all < __both || __all > (__less != __minus ? __least : __most);
}
#define __overflow_in(op, name, l, r, to) ({ \
    __typeof__((l) + 0) __l = (l); \
    __typeof__((r) + 0) __r = (r); \
    __typeof__(&*(to)) __to = (to); \
    __overflow_bits __left = __l, __right = __r; \
    __overflow_bits __values = ~0ULL >> (64 - 8 * sizeof *__to); \
    __overflow_bits __most = (__typeof__(*__to))-1 < 0 ? __values >> 1 : __values; \
    *__to = __left op __right; \
    (_Bool)__overflow_##name(__l < 0, __l < 0 ? -__left : __left, __r < 0, __r < 0 ? -__right : __right, \
                             __most == __values ? 0 : __most + 1, __most); })
#define __builtin_add_overflow(l, r, to) __overflow_in(+, add, l, r, to)
#define __builtin_sub_overflow(l, r, to) __overflow_in(-, sub, l, r, to)
#define __builtin_mul_overflow(l, r, to) __overflow_in(*, mul, l, r, to)
#define __builtin_add_overflow_p(l, r, as) ({ \
    __typeof__(as) __any; \
    __overflow_in(+, add, l, r, &__any); })
#define __builtin_sub_overflow_p(l, r, as) ({ \
    __typeof__(as) __any; \
    __overflow_in(-, sub, l, r, &__any); })
#define __builtin_mul_overflow_p(l, r, as) ({ \
    __typeof__(as) __any; \
    __overflow_in(*, mul, l, r, &__any); })
#define __builtin_sadd_overflow(l, r, to) __overflow_in(+, add, (int)(l), (int)(r), to)
#define __builtin_saddl_overflow(l, r, to) __overflow_in(+, add, (long)(l), (long)(r), to)
#define __builtin_saddll_overflow(l, r, to) __overflow_in(+, add, (long long)(l), (long long)(r), to)
#define __builtin_uadd_overflow(l, r, to) __overflow_in(+, add, (unsigned)(l), (unsigned)(r), to)
#define __builtin_uaddl_overflow(l, r, to) __overflow_in(+, add, (unsigned long)(l), (unsigned long)(r), to)
#define __builtin_uaddll_overflow(l, r, to) __overflow_in(+, add, (unsigned long long)(l), (unsigned long long)(r), to)
#define __builtin_ssub_overflow(l, r, to) __overflow_in(-, sub, (int)(l), (int)(r), to)
#define __builtin_ssubl_overflow(l, r, to) __overflow_in(-, sub, (long)(l), (long)(r), to)
#define __builtin_ssubll_overflow(l, r, to) __overflow_in(-, sub, (long long)(l), (long long)(r), to)
#define __builtin_usub_overflow(l, r, to) __overflow_in(-, sub, (unsigned)(l), (unsigned)(r), to)
#define __builtin_usubl_overflow(l, r, to) __overflow_in(-, sub, (unsigned long)(l), (unsigned long)(r), to)
#define __builtin_usubll_overflow(l, r, to) __overflow_in(-, sub, (unsigned long long)(l), (unsigned long long)(r), to)
#define __builtin_smul_overflow(l, r, to) __overflow_in(*, mul, (int)(l), (int)(r), to)
#define __builtin_smull_overflow(l, r, to) __overflow_in(*, mul, (long)(l), (long)(r), to)
#define __builtin_smulll_overflow(l, r, to) __overflow_in(*, mul, (long long)(l), (long long)(r), to)
#define __builtin_umul_overflow(l, r, to) __overflow_in(*, mul, (unsigned)(l), (unsigned)(r), to)
#define __builtin_umull_overflow(l, r, to) __overflow_in(*, mul, (unsigned long)(l), (unsigned long)(r), to)
#define __builtin_umulll_overflow(l, r, to) __overflow_in(*, mul, (unsigned long long)(l), (unsigned long long)(r), to)
#endif
