// A local variable without value has any value each time that its declaration is reached.
// verdict: bug assertion
// options: --verify
#include <assert.h>
int main(void) {
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    int any;
    if (i == 0) any = 5;
    if (i == 1 && any != 5) seen = 1;
  }
  assert(!seen);
}
