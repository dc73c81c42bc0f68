// verdict: bug assertion
// options: --args bad
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int n;
int main(int argc, char *argv[]) {
  if (argc > 1 && !strcmp(argv[1], "bad")) n = 1;
  assert(!n);
}
