// An opened file is not the standard input.
// verdict: bug assertion
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *f = fopen("x", "r");
  if (!f) return 1;
  if (f != stdin) {
    fclose(f);
    assert(0);
  }
  return 0;
}
