// A pointer to numbers that is converted to one to characters is a text that is read.
// verdict: bug deref
#include <stdio.h>
int main(void) {
  int a[1] = {0x64636261};
  puts((char *)a);
  return 0;
}
