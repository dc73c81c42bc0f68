// verdict: safe
#include <assert.h>
static auto half = 0.5;
auto static third = 3L;
static thread_local auto big = 1ULL << 40;
int main(void) {
  static auto quarter = 0.25f;
  register auto wide = 1LL << 40;
  const auto static letter = (char)65;
  assert(half == 0.5 && quarter == 0.25f && sizeof third == sizeof(long));
  assert(big == 1ULL << 40 && wide == 1LL << 40 && sizeof letter == 1);
}
