// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
static void *(*made)(size_t, size_t) = aligned_alloc;

int main(void) {
  int *p = made(4, sizeof(int));
  assert(p == 0);
}
