// A number has more digits than there is room for.
// verdict: bug deref
#include <stdio.h>
int main(void) {
  char text[4];
  sprintf(text, "%d", 12345);
  return 0;
}
