// verdict: bug division
#include <limits.h>
int main(void) {
  int least = INT_MIN, by = -1;
  return least / by;
}
