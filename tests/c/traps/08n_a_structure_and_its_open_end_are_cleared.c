// `memset` of a structure and of as many elements behind it as the program says, and of no more.
// verdict: bug assertion
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct ring { unsigned long next; int all[]; };
int main(int argc, char **argv) {
  struct ring *ring = malloc(offsetof(struct ring, all[3]));
  ring->next = 7;
  for (int i = 0; i < 3; i++) ring->all[i] = i + 1;
  memset(ring, 0, offsetof(struct ring, all[argc + 1]));
  if (ring->next == 0 && ring->all[0] == 0 && ring->all[1] == 0) assert(ring->all[2] != 3);
  return 0;
}
