// verdict: bug assertion
#include <assert.h>
#include <stdbool.h>
#include <string.h>
int main(void) {
  bool all[4];
  memset(all, 1, sizeof all);
  assert(all[0] + all[1] + all[2] + all[3] == 0);
}
