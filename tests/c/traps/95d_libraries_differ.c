// What is read of too few characters is not the same everywhere.
// verdict: inconclusive
#include <assert.h>
#include <stdio.h>
int main(void) {
  char b[8];
  assert(sscanf("abc", "%4c", b) == 1);
}
