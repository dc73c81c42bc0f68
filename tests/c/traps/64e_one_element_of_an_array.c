// As many bytes as one element has, into the middle of an array and from its beginning.
// verdict: safe
#include <assert.h>
#include <string.h>
int main(void) {
  int from[6] = {1, 2, 3, 4, 5, 6}, into[6] = {0}, one;
  memcpy(into + 2, from, sizeof *from);
  memcpy(&one, from, sizeof one);
  memcpy(&into[3], from + 1, 4);
  assert(into[2] == 1 && into[3] == 2 && one == 1);
}
