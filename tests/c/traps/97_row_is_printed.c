// verdict: safe
#include <assert.h>
#include <stdio.h>
static char rows[2][8];
int main(void) {
  snprintf(rows[1], sizeof rows[1], "%d", 7);
  puts(rows[1]);
  assert(rows[1][0] == '7');
  return 0;
}
