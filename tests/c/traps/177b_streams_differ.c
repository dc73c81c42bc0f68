// Streams that are open at once differ, and the standard ones have their numbers.
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *f = fopen("x", "r"), *g = fopen("y", "w");
  assert(stdin != stdout && stdout != stderr && fileno(stderr) == 2);
  assert(!f || f != g && f != stdin && g != stdout);
  if (g) fclose(g);
  if (f) fclose(f);
  return 0;
}
