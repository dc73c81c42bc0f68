// As `memcmp`, `wmemcmp` reads all of both.
// verdict: bug deref
#include <wchar.h>
int main(void) {
  wchar_t a[2] = {1, 2}, b[3] = {1, 9, 3};
  return wmemcmp(a, b, 3) == 0;
}
