// A bit-field holds so many bits, with a sign if its type has one.
// verdict: safe
#include <assert.h>
struct s { unsigned low : 3; int whole; } s = { 7, 1 };
struct t { int low : 3; } t;
int main(void) {
  assert(s.low == 7);
  s.low = 9;
  assert(s.low == 1);
  s.low += 7;
  assert(s.low == 0);
  t.low = 5;
  assert(t.low == -3);
  struct s own = { 3, 4 };
  s = own;
  assert(s.low == 3 && s.whole == 4);
  assert((s.low = 12) == 4);
  assert(s.low++ == 4 && s.low-- == 5);
}
