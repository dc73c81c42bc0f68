// verdict: bug deref
#include <stdio.h>
int main(void) {
  char b[3] = {'a', 'b', 'c'};
  printf("%s", b);
}
