// The address of the first element, or of the first member, is the one that `malloc` gave.
// verdict: safe
#include <stdlib.h>
struct node { struct { struct node *next; } link; int value; };
int main(void) {
  int *numbers = malloc(8);
  free(&numbers[0]);
  struct node *nodes = malloc(2 * sizeof *nodes), *second = &nodes[1];
  second[-1].value = 1;
  free(&second[-1]);
  struct node *node = malloc(sizeof *node);
  free(&node->link);
  return 0;
}
