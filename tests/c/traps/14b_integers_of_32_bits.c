// The data model is an option.
// verdict: safe
// options: --data-model ILP32
#include <assert.h>
int main(void) {
  assert(sizeof(long) == 4 && sizeof(void *) == 4);
  unsigned long big = 4294967295u;
  assert(big + 1 == 0);
}
