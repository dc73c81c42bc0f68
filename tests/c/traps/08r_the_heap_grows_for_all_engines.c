// The same by all engines: no other follows what lacks memory.
// verdict: bug assertion
// options: --verify
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(int argc, char **argv) {
  struct node *all = 0;
  for (int i = 0; i < 20; i++) {
    struct node *one = malloc(sizeof *one);
    one->next = all;
    one->value = i;
    all = one;
  }
  int row[argc + 32];
  for (int i = 0; i < 33; i++) row[i] = i;
  assert(all->value != 19 || row[32] != 32);
  return 0;
}
