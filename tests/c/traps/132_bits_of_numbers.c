// verdict: safe
#include <assert.h>
int main(int argc, char **argv) {
  unsigned one = argc;
  unsigned long many = 0xf0f0ul << 16 * one;
  assert(__builtin_clz(one) == 31 && __builtin_ctz(one << 3) == 3 && __builtin_clzll(one) == 63);
  assert(__builtin_popcount(~one) == 31 && __builtin_popcountl(many) == 8 && __builtin_parity(one) == 1);
  assert(__builtin_bswap16(0x102 * one) == 0x201 && __builtin_bswap32(0x01020304 * one) == 0x04030201);
  assert(__builtin_bswap64(one) == 1ul << 56 && __builtin_ffs(one << 4) == 5 && __builtin_ffs(one - 1) == 0);
  assert(__builtin_ctzl(many) == 20 && __builtin_clzl(many) == 32);
}
