// verdict: bug division
#include <limits.h>
int main(void) {
  long least = LONG_MIN, by = -1;
  least %= by;
  return 0;
}
