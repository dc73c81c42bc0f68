// verdict: bug index
#include <stdio.h>
int main(void) {
  fprintf(stderr, "%d %s\n", 1, 5);
  return 0;
}
