// A format that is known is compared with the arguments of the call.
// verdict: bug index
#include <stdio.h>
int main(void) {
  printf("%d of %*d\n", 1, 2);
  return 0;
}
