// verdict: safe
#include <stdio.h>
int main(void) {
  char b[3] = {'a', 'b', 'c'}, *p = b;
  printf("%.3s %.*s %s", b, 3, p, "x");
  printf("%-4.2s|%%|%d\n", p, 1);
}
