// verdict: bug deref
#include <stdio.h>
int main(void) {
  char b[3] = {'a', 'b', 'c'}, *p = b;
  printf("%d %.*s", 1, 4, p);
}
