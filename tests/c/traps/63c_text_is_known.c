// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char text[8];
  snprintf(text, sizeof text, "%d", 12);
  assert(text[0] != '3');
  return 0;
}
