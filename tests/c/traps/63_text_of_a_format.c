// A text that is too long is cut off.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char text[4], number[32];
  int n = snprintf(text, sizeof text, "%d", 12345);
  assert(n >= 0);
  assert(text[3] == 0);
  assert(strlen(text) < sizeof text);
  sprintf(number, "w%d%c", 7, 'x');
  puts(number);
  return 0;
}
