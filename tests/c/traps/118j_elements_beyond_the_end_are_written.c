// verdict: bug deref
#include <stdio.h>
int main(void) {
  int b[3] = {0}, n = 4;
  fwrite(b, sizeof *b, 3, stdout);
  fwrite(b, sizeof *b, n, stdout);
}
