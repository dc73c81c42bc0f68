// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
int main(void) {
  char text[32];
  int n;
  snprintf(text, sizeof text, "%p", (void *)&n);
  assert(text[0] == '0');
  return 0;
}
