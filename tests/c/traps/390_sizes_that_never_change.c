// The sizes of these objects are known: no variable changes after its beginning.
// verdict: bug deref
#include <stdlib.h>
static unsigned count = 4000;
int main(void) {
  const int each = sizeof(long);
  size_t size = count * each;
  char *p = malloc(size), *q = calloc(count, 2);
  p[size - 1] = q[7999] = 1;
  for (int i = 0; i < 2; i++) {
    size_t own = 9000;
    char *r = malloc(own);
    switch (i) {
    case 1: r[8999] = 1;
    }
    free(r);
  }
  q[8000] = 1;
}
