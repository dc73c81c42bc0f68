// verdict: safe

#include <assert.h>
#include <stdarg.h>
#include <stdbit.h>
#include <stdckdint.h>

constexpr int size = 1'000, half = size / 2;
constexpr double quarter = 0.25;
static_assert(half == 0b1'1111'0100 && 0x1'0 == 16);
static int table[size];
enum small : unsigned char { A, B = 200 };
enum wide : long long;
enum wide : long long { C = -1 };
struct flags { enum small kind : 2, : 3; };
static_assert(sizeof(enum small) == 1 && sizeof(enum wide) == 8 && sizeof(u8'a') == 1 && u8'\xff' == 255);

static int sum(int n, ...) {
  va_list all;
  va_start(all);
  int s = 0;
  while (n--) s += va_arg(all, int);
  va_end(all);
  return s;
}
static int *kept(void) { return (static int[]){1, 2}; }

int main(void) {
  const int c = 1;
  typeof_unqual(c) v = c;
  typeof_unqual(const volatile int) w;
  v++;
  w = v;
  constexpr enum small b = B;
  int sizes[half / 100] = {};
  switch (w) {
  case size / 500: break;
  default: return 1;
  }
  int *k = kept();
  *kept() += 4;
  assert(k[0] == 5 && kept()[1] == 2 && sum(2, 3, 4) == 7 && sizeof sizes == 5 * sizeof(int));
  const int *at = &size;
  assert(*at == 1000 && sizeof table == 4000 && b == 200 && quarter * 4 == 1);
  int r;
  unsigned char small;
  assert(!ckd_add(&r, 1, 2) && r == 3 && ckd_mul(&r, 1 << 20, 1 << 20) && ckd_sub(&small, 1, 2) && small == 255);
  assert(stdc_count_ones(7u) == 3 && stdc_leading_zeros((unsigned char)1) == 7 && stdc_trailing_zeros(0u) == 32);
  assert(stdc_bit_width(5u) == 3 && stdc_bit_floor(5u) == 4 && stdc_bit_ceil(5u) == 8 && stdc_has_single_bit(8ul));
  assert(stdc_first_leading_one_uc(1) == 8 && stdc_first_trailing_zero(3u) == 3 && stdc_leading_ones_us(0xff00) == 8);
}
