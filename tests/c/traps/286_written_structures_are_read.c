// `write` and `fwrite` read the members of structures.
// verdict: bug deref
#include <stdlib.h>
#include <unistd.h>
struct pair { int n; char *text; };
int main(void) {
  struct pair *pair = calloc(1, sizeof *pair);
  free(pair);
  write(1, pair, sizeof *pair);
  return 0;
}
