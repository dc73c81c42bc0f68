// What it says is not computed: neither of these is known to fail.
// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char text[32];
  snprintf(text, sizeof text, "%.1f", 0.5);
  assert(!strcmp(text, "0.5"));
  return 0;
}
