// Directives that few programs use.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void) {
  char b[64];
  int n = snprintf(b, sizeof b, "%'d|%5c|%lc|%d", 1234567, 'x', (wint_t)L'y', 3);
  assert(n == 17 && !strcmp(b, "1234567|    x|y|3"));
  snprintf(b, sizeof b, "%m");
  assert(b[0]);
  return 0;
}
