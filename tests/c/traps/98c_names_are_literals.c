// verdict: safe
// options: --verify --engine smt --no-races
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  if (remove("the old settings of this program") || system(0)) return 1;
  FILE *f = fopen("the settings of this program", "r");
  if (f) fclose(f);
  return open("a list that has a longer name than loops are followed", O_RDONLY) < 0;
}
