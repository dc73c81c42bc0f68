// verdict: inconclusive
#include <assert.h>
#include <stdbool.h>
#include <string.h>
int main(void) {
  bool all[4];
  memset(all, 255, sizeof all);
  assert(all[0]);
}
