// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  void *text = malloc(4);
  memcpy(text, "abc", 4);
  printf("%s\n", text);
  free(text);
  printf("%s\n", text);
  return 0;
}
