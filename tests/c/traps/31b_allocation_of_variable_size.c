// So does what is allocated.
// verdict: bug deref
// options: --args 3
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  int n = atoi(argv[1]);
  int *all = malloc(n * sizeof(int));
  for (int i = 0; i <= n; i++)
    all[i] = i;
  return 0;
}
