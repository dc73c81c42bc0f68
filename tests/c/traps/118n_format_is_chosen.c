// verdict: bug deref
#include <stdio.h>
int main(void) {
  char b[2] = {'a', 'b'};
  const char *formats[2] = {"%c\n", "%s\n"};
  printf(formats[0], 'x');
  printf(formats[1], b);
}
