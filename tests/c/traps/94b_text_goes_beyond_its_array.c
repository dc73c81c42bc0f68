// verdict: bug deref
#include <stdio.h>
int main(void) {
  char text[5];
  sprintf(text, "%d", 1234);
  sprintf(text, "%d", 12345);
  return 0;
}
