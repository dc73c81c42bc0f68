// verdict: bug overflow
// options: --property no-overflow
#include <limits.h>
#include <stdlib.h>
int main(void) {
  int least = INT_MIN, by = -1;
  return div(least, by).quot;
}
