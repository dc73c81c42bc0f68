// verdict: bug deref
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *name = malloc(5);
  if (!name) return 0;
  strcpy(name, "HOME");
  free(name);
  return getenv(name) != 0;
}
