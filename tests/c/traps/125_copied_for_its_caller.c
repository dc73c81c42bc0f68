// A ring of elements whose size is given when the program runs.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct ring { size_t each, n, head, tail; char *data; };

static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}

static struct ring *ring_new(size_t each, size_t n) {
  struct ring *r = xmalloc(sizeof *r);
  memset(r, 0, sizeof *r);
  r->each = each;
  r->n = n;
  r->data = xmalloc(each * n);
  return r;
}

static void put(struct ring *r, const void *one) {
  memcpy(r->data + (r->head++ % r->n) * r->each, one, r->each);
}

static void get(struct ring *r, void *one) {
  memcpy(one, r->data + (r->tail++ % r->n) * r->each, r->each);
}

struct message { int a; char b; };

int main(void) {
  struct ring *r = ring_new(sizeof(struct message), 4);
  struct message x = {1, 2}, y;
  put(r, &x);
  x.a = 3;
  put(r, &x);
  get(r, &y);
  assert(y.a == 1 && y.b == 2);
  get(r, &y);
  assert(y.a == 3 && y.b == 2);
  free(r->data);
  free(r);
}
