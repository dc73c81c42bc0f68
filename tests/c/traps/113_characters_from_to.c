// The `-` between two characters is none of them.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char v[8];
  assert(sscanf("-12", "%[a-z]", v) == 0);
  assert(sscanf("a-b1", "%[a-b]", v) == 1 && strcmp(v, "a") == 0);
  assert(sscanf("a-b1", "%[ab-]", v) == 1 && strcmp(v, "a-b") == 0);
  assert(sscanf("]x", "%[]x]", v) == 1 && strcmp(v, "]x") == 0);
}
