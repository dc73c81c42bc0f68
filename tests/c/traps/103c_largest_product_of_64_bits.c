// verdict: safe
// options: --check no-overflow
#include <assert.h>
#include <limits.h>
int main(void) {
  long l = 3037000499, r = l, least = LONG_MIN;
  assert(l * r == 9223372030926249001);
  assert(least * 1 == LONG_MIN && (least + 1) * -1 == LONG_MAX);
}
