// verdict: bug deref
#include <stdlib.h>
struct text {
  int length;
  char data[1];
};
int main(void) {
  struct text *t = malloc(sizeof(struct text) + 4);
  t->data[7] = 'x';
  t->data[8] = 'x';
}
