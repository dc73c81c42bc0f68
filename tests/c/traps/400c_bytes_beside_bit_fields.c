// Bits between members are zeros: an execution that sets them is not followed.
// verdict: inconclusive
#include <assert.h>
#include <string.h>
struct s {
  unsigned a : 4, b : 12;
};
int main(void) {
  struct s s = {1, 2};
  unsigned v = 0x10021;
  memcpy(&s, &v, sizeof v);
  assert(*(unsigned *)&s == 0x21);
  return 0;
}
