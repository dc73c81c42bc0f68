// Digits are those of the number that the machine holds, and of two as near the even one is written.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
double tenth = 0.1;
int main(void) {
  char text[64];
  snprintf(text, sizeof text, "%.1f|%5.0f|%-6.2f|%+g", 0.25, 2.5, tenth * 3, tenth);
  assert(!strcmp(text, "0.2|    2|0.30  |+0.1"));
  snprintf(text, sizeof text, "%.20f", tenth);
  assert(!strcmp(text, "0.10000000000000000555"));
  snprintf(text, sizeof text, "%e %G %.3g %g", 12345.678, 1e-7, 9999.5, 1e100);
  assert(!strcmp(text, "1.234568e+04 1E-07 1e+04 1e+100"));
  snprintf(text, sizeof text, "%f %F", 1 / (tenth - tenth), -1e308 * 10);
  assert(!strcmp(text, "inf -INF"));
  return 0;
}
