// A program may give the words another meaning.
// verdict: safe
#include <assert.h>
typedef enum { false, true } bool;
typedef struct { bool done; } state;
static bool opposite(bool b) { return !b; }
int main(void) {
  bool b = true;
  state s = { false };
  int nullptr = 3;
  { int bool = 3; bool++; assert(bool == 4); }
  assert(opposite(b) == s.done && sizeof(b) == 4 && nullptr == 3);
}
