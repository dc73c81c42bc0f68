// verdict: bug assertion
// options: --stub level
// A variable that no file defines begins with any value, if that is asked for.
#include <assert.h>
extern int level;

int main(void) {
  assert(level == 3);
}
