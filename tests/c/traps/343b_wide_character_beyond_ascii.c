// Systems differ in what they make of it.
// verdict: inconclusive
#include <assert.h>
#include <stdlib.h>
int main(void) {
  wchar_t w = 0;
  assert(mbtowc(&w, "\xe9", 1) == 1);
  return 0;
}
