// verdict: safe
#include <assert.h>
#include <string.h>
int main(void) {
  assert(__builtin_clrsb(5) == 28 && __builtin_clrsb(-1) == 31 && __builtin_clrsbl(0) == 63 && __builtin_clrsbll(-5) == 60 && __builtin_parityl(7) == 1);
  char known[6]; assert(__builtin_object_size(known, 0) == 6 && __builtin_object_size(known, 3) == 6);
  assert(__builtin_assume_aligned(known, 1) == known && __builtin_return_address(0) && __builtin_frame_address(0));
  assert(__builtin_strlen("abc") == 3 && __builtin_strcmp("a", "b") < 0 && !__builtin_memcmp("ab", "ac", 1) && __builtin___strcpy_chk(known, "abc", 6) == known);
  return 0;
}
