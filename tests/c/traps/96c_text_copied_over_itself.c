// verdict: bug deref
#include <string.h>
int main(void) {
  char text[8] = "abcd";
  strcpy(text, text + 1);
  return 0;
}
