// verdict: safe
#include <assert.h>
#include <stdlib.h>
struct memory { void *(*take)(size_t); void (*give)(void *); };
static struct memory memory = {malloc, free};

int main(void) {
  int *p = memory.take(sizeof *p);
  *p = 3;
  assert(*p == 3);
  memory.give(p);
}
