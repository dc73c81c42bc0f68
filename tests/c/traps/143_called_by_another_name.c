// verdict: inconclusive
// `realloc` is only known by its name: an execution that calls it otherwise is not followed.
#include <assert.h>
#include <stdlib.h>
static void *(*grow)(void *, size_t) = realloc;

int main(void) {
  int *p = grow(NULL, sizeof(int));
  assert(p == 0);
}
