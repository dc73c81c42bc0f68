// What lies within is compared as before.
// verdict: safe
#include <assert.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
int main(void) {
  char a[4] = {1, 2, 3, 4}, b[8] = {1, 2, 3, 5}, c[4] = {1, 9, 3, 4};
  wchar_t w[2] = {1, 2}, v[2] = {3, 2};
  assert(memcmp(a, b, 4) < 0 && memcmp(b, a, 4) > 0 && memcmp(a, b, 3) == 0 && memcmp(a, c, 4) < 0);
  assert(memcmp(a, b, 0) == 0 && bcmp(a, c, 4) && !bcmp(a, b, 1));
  assert(wmemcmp(w, v, 2) < 0 && wmemcmp(v, w, 2) > 0 && wmemcmp(w, w, 2) == 0);
  return 0;
}
