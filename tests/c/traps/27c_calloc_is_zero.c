// Static storage and what `calloc` makes are zero.
// verdict: safe
// options: --verify
#include <assert.h>
#include <stdlib.h>
struct pair { int first, second; } all[2];
int main(void) {
  struct pair *made = calloc(1, sizeof *made);
  assert(made->second == 0 && all[1].second == 0);
}
