// Behind the elements that were allocated there is nothing.
// verdict: bug deref
#include <stdlib.h>
#include <string.h>
struct text { size_t length; char data[]; };
int main(void) {
  const char *from = "abc";
  struct text *t = malloc(sizeof *t + strlen(from));
  strcpy(t->data, from);
  free(t);
}
