// Old code writes `[1]` for an array that is as long as was allocated.
// verdict: bug index
// options: --strict
#include <stdlib.h>
struct text {
  int length;
  char data[1];
};
int main(void) {
  struct text *t = malloc(sizeof *t + 4);
  t->length = 4;
  for (int i = 0; i < t->length; i++)
    t->data[i] = 'x';
  free(t);
}
