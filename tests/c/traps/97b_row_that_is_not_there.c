// verdict: bug index
#include <stdio.h>
static char rows[2][8];
int main(void) {
  int row = 2;
  puts(rows[row]);
  return 0;
}
