// Arrays, structures, what pointers reach and what is allocated begin with any value.
// verdict: bug assertion
// options: --verify
#include <assert.h>
#include <stdlib.h>
struct pair { int first, second; };
int main(void) {
  struct pair *made = malloc(sizeof *made), own;
  int several[2];
  made->first = 1;
  own.first = 1;
  several[0] = 1;
  assert(made->second + own.second + several[1] != 7);
}
