// verdict: safe
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
struct flags { int n; bool set[3]; bool last; };
int main(void) {
  bool all[40], rows[2][3], one;
  memset(all, 1, sizeof all);
  memset(rows[1], true, sizeof rows[1]);
  memset(rows[0], 0, sizeof rows[0]);
  memset(&one, 1, sizeof one);
  assert(all[0] && all[39] == 1 && rows[1][2] && !rows[0][2] && one == 1);
  struct flags flags = {7};
  memset(flags.set, 1, sizeof flags.set);
  assert(flags.set[0] && flags.set[2] && !flags.last && flags.n == 7);
  memset(&flags, 1, sizeof flags);
  assert(flags.last && flags.n == 0x01010101);
  bool *more = malloc(5);
  if (more) {
    memset(more, 1, 5);
    assert(more[0] + more[4] == 2);
    memset(more + 1, 0, 2);
    assert(more[0] && !more[1] && !more[2] && more[3]);
  }
  free(more);
}
