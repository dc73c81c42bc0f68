// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 0, m = 0, number = 123;
  char b[10], *text = "ab";
  short all;
  printf("abc%n %5d%s%n\n", &n, number, text, &m);
  assert(n == 3 && m == 11);
  assert(snprintf(b, 10, "%d%hn%s", number, &all, text) == 5 && all == 3);
}
