// The second element is no address that `malloc` gave.
// verdict: bug free
#include <stdlib.h>
int main(void) {
  int *numbers = malloc(8);
  free(&numbers[1]);
  return 0;
}
