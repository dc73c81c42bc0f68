// verdict: bug deref
#include <stdio.h>
int main(void) {
  char name[4];
  sscanf("long", "%s", name);
  return 0;
}
