// verdict: safe
#include <assert.h>
#include <string.h>
int main(void) {
  char text[12] = "abcd";
  int n = 4;
  memmove(text + 1, text, n);
  assert(!strcmp(text, "aabcd"));
  memcpy(text, text, n);
  memcpy(text + 4, text, n);
  strcpy(text, text + 6);
  return 0;
}
