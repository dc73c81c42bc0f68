// verdict: bug deref
#include <stdlib.h>
int main(void) {
  int a[2] = {1, 2};
  return bsearch(&a[1], a, 2, sizeof *a, NULL) == 0;
}
