// Memory with a large alignment that is no constant is not made.
// verdict: inconclusive
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  size_t align = argc > 0 ? 1 << 20 : 8;
  void *p = aligned_alloc(align, 8);
  assert((uintptr_t)p % align == 0);
  return 0;
}
