// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char text[32];
  int n = snprintf(text, sizeof text, "%.1f", 0.5);
  assert(n == 3);
  return 0;
}
