// verdict: bug deref
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int ends[2], *p = calloc(1, sizeof *p);
  if (pipe(ends)) return 1;
  free(p);
  write(ends[1], p, sizeof *p);
  return 0;
}
