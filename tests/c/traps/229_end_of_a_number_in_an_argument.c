// Where a number in an argument ends is known, however the argument was looked at.
// verdict: safe
// options: --args 12x
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  char *end;
  long n = strtol(argv[1], &end, 10);
  assert(n == 12 && *end == 'x' && end == argv[1] + 2);
}
