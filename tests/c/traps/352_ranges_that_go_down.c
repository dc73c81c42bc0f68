// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[8];
  assert(sscanf("abc", "%5[z-a]", b) == 1 && !strcmp(b, "a"));
  assert(sscanf("z-ab", "%5[z-a]", b) == 1 && !strcmp(b, "z-a"));
  assert(sscanf("m-", "%5[z-a]", b) == 0 && sscanf("m-", "%5[a-z]", b) == 1 && !strcmp(b, "m"));
  assert(sscanf("m-", "%5[a-]", b) == 0 && sscanf("-am", "%5[a-]", b) == 1 && !strcmp(b, "-a"));
}
