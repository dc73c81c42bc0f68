// A structure with an array at its end is copied as far as it was allocated.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct vector { int length; int data[]; };
struct text { unsigned short length; char kind; int number; char data[]; };
struct items { int length; struct { char c; int n; } data[]; };
int main(void) {
  struct vector *v = calloc(1, sizeof *v + 2 * sizeof(int));
  for (int i = 0; i < 6; i++) {
    if (i >= 2 && (i & (i - 1)) == 0) v = realloc(v, sizeof *v + 2 * i * sizeof(int));
    v->data[v->length++] = 10 * i;
  }
  struct vector *w = malloc(sizeof *w + 8 * sizeof(int));
  memcpy(w, v, sizeof *v + 6 * sizeof(int));
  for (int i = 0; i < w->length; i++) assert(w->data[i] == 10 * i);
  free(w);
  free(v);
  struct text *t = malloc(sizeof *t + 4), *u = malloc(sizeof *t + 4);
  t->length = 3, t->kind = 'k', t->number = -70000;
  strcpy(t->data, "abc");
  memcpy(u, t, sizeof *t + 4);
  assert(u->length == 3 && u->kind == 'k' && u->number == -70000 && !strcmp(u->data, "abc"));
  free(t);
  free(u);
  struct items *a = calloc(1, sizeof *a + sizeof *a->data), *b = malloc(sizeof *a + sizeof *a->data);
  a->data[0].n = 7, a->data[0].c = 'q';
  memcpy(b, a, sizeof *a + sizeof *a->data);
  assert(b->data[0].n == 7 && b->data[0].c == 'q');
  free(a);
  free(b);
  return 0;
}
