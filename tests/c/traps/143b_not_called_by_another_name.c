// verdict: safe
#include <assert.h>
#include <stdlib.h>
static struct { void *(*make)(size_t); void *(*grow)(void *, size_t); void (*end)(void *); } memory = {malloc, realloc, free};

static void *copy(int value) {
  int *p = memory.make(sizeof *p);
  *p = value;
  return p;
}

int main(void) {
  int *p = copy(3);
  assert(*p == 3);
  memory.end(p);
}
