// The size of the structure counts bytes of its open end, and the block has fewer of them. How many bytes are meant is not told apart.
// verdict: inconclusive
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct tail { long a; int len; char text[]; };
int main(void) {
  struct tail *t = malloc(offsetof(struct tail, text) + 1);
  memset(t, 0, sizeof *t);
  free(t);
  return 0;
}
