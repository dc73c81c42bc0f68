// verdict: safe
#undef __STDC_VERSION__
#define __STDC_VERSION__ 202311L
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
int main(void) {
  static_assert(INT_WIDTH == 32 && BOOL_WIDTH == 1 && LONG_WIDTH == 8 * sizeof(long), "");
  char8_t c = 200;
  char *text = malloc(4);
  assert(c == 200);
  if (text) {
    memset_explicit(text, 'a', 4);
    assert(text[3] == 'a');
    free_sized(text, 4);
  }
}
