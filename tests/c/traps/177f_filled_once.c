// The place that `memset` fills is computed once.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct text { int length; char data[]; };
static struct text *all;
static int calls;
static struct text *next(void) {
  calls++;
  return all;
}
int main(void) {
  all = malloc(sizeof *all + 3);
  if (!all) return 0;
  memset(next(), 1, sizeof *all + 3);
  assert(calls == 1 && all->length == 0x01010101 && all->data[2] == 1);
  free(all);
  return 0;
}
