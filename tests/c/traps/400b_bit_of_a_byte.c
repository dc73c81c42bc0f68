// A copy of a structure with bit-fields has all their bits.
// verdict: bug assertion
#include <assert.h>
#include <string.h>
struct s {
  unsigned a : 4, b : 12;
};
int main(void) {
  struct s s = {1, 2};
  unsigned short v;
  memcpy(&v, &s, sizeof v);
  assert(v == 1);
  return 0;
}
