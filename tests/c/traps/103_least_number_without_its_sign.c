// verdict: bug overflow
// options: --check no-overflow
#include <limits.h>
#include <stdlib.h>
int main(void) {
  int least = INT_MIN;
  return abs(least);
}
