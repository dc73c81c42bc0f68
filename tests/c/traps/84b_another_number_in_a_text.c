// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  char text[] = " -42x";
  assert(atoi(text) == 42 && atol("17") == 17 && strtol("0", NULL, 10) == 0);
  time_t now, same = time(&now);
  assert(now == same);
  return 0;
}
