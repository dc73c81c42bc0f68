// What lies behind must be moved by `memmove`.
// verdict: bug deref
#include <string.h>
int main(void) {
  char text[8] = "abcd";
  int n = 4;
  memcpy(text + 1, text, n);
  return 0;
}
