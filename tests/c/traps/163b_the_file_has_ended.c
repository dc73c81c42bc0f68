// verdict: bug index
#include <stdio.h>
int count[256];
int main(void) {
  count[getchar()]++;
  return 0;
}
