// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *text = malloc(4);
  sprintf(text, "%03x", 10);
  sprintf(text, "%s!", text + 0 ? "abc" : "ab");
  free(text);
  return 0;
}
