// A pointer to `realloc` is called.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
static void *(*again)(void *, size_t) = realloc;
int main(void) {
  int *p = again(NULL, sizeof *p);
  *p = 4;
  p = again(p, 2 * sizeof *p);
  p[1] = 5;
  assert(p[0] == 4 && p[1] == 5);
  free(p);
  return 0;
}
