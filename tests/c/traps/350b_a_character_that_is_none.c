// What a character beyond ASCII becomes depends on the locale.
// verdict: inconclusive
#include <uchar.h>
int main(void) {
  char b[8];
  mbstate_t s = {0};
  return c32rtomb(b, (char32_t)-1, &s) != 1;
}
