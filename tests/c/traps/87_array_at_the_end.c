// A structure that ends in an array without a length has as many elements there as were allocated.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct text { size_t length; char data[]; };
struct list { int count, room; struct { int key; short value; } all[]; };
static struct text *text(const char *from) {
  size_t length = strlen(from);
  struct text *t = malloc(sizeof *t + length + 1);
  t->length = length;
  memcpy(t->data, from, length + 1);
  return t;
}
int main(void) {
  struct text *t = text("abc");
  assert(strcmp(t->data, "abc") == 0);
  char *second = &t->data[1];
  *second = 'x';
  memset(t, 0, sizeof *t);
  assert(t->length == 0 && t->data[0] == 'a' && t->data[1] == 'x');
  free(t);
  int room = 2;
  struct list *l = malloc(sizeof *l + room * sizeof l->all[0]);
  l->count = 0;
  for (int i = 0; i < room; i++) {
    l->all[l->count].key = i;
    l->all[l->count++].value = 5;
  }
  assert(l->all[1].key == 1 && l->all[0].value == 5);
  free(l);
}
