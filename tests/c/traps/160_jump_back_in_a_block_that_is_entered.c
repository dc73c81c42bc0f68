// The block is entered at its label, and the same label is jumped to from behind it.
// verdict: safe
#include <assert.h>
int main(void) {
  int fuel = 3, h = 1;
  if (fuel-- > 0 && h % 3 != -1) goto one;
  { h = 7; one: h++; if (fuel-- > 0) goto one; }
  assert(h == 4);
  return 0;
}
