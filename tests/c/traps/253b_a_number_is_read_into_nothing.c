// verdict: bug index
#include <stdio.h>
int main(void) {
  int a, b;
  return scanf("%d %d", &a) == 2;
}
