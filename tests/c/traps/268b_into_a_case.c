// A `goto` leads into a `switch`, and from one case into a block of another.
// verdict: safe
#include <assert.h>
static int run(int n) {
  int way = 0;
  if (n == 9) goto middle;
  switch (n) {
    case 1: way += 1; goto deep;
    case 2: { way += 2; if (way) { middle: way += 10; } } break;
    case 3: way += 3; if (way < 0) { deep: way += 20; } break;
    default: way = -1;
  }
  return way;
}
int main(void) {
  assert(run(1) == 21);
  assert(run(2) == 12);
  assert(run(3) == 3);
  assert(run(4) == -1);
  assert(run(9) == 10);
}
