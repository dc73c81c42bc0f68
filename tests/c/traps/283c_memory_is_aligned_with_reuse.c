// What is handed out again has the alignment asked for.
// verdict: safe
// options: --heap-reuse
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  free(malloc(8));
  for (int i = 0; i < 2; i++) {
    void *p = aligned_alloc(64, 8);
    assert((uintptr_t)p % 64 == 0);
    free(p);
  }
  return 0;
}
