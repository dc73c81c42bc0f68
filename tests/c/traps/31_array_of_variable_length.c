// An array of variable length ends where its length says, not where the memory for it does.
// verdict: bug index
// options: --args 3
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  int n = atoi(argv[1]);
  int all[n];
  for (int i = 0; i <= n; i++)
    all[i] = i;
  return 0;
}
