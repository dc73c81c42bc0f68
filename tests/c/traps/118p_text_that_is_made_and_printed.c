// A text with a fraction is not computed; what it is made of is read.
// verdict: bug deref
#include <stdio.h>
int main(void) {
  char b[2] = {'a', 'b'}, text[40];
  snprintf(text, sizeof text, "%f %s", 1.5, "x");
  puts(text);
  snprintf(text, sizeof text, "%f %s", 1.5, b);
  puts(text);
}
