// `memcmp` may read all bytes, wherever the first difference is.
// verdict: bug deref
#include <string.h>
int main(void) {
  char a[4] = {1, 2, 3, 4}, b[8] = {1, 9};
  return memcmp(a, b, 8) == 0;
}
