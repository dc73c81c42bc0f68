// verdict: bug deref
#include <stdio.h>
int main(void) {
  char b[2] = {'a', 'b'};
  fputs(b, stdout);
}
