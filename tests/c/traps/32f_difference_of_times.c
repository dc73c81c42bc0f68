// `difftime` is a difference, and no number that is not computed.
// verdict: bug assertion
#include <assert.h>
#include <time.h>
int main(void) {
  time_t begin = 100, end = 105;
  assert(difftime(end, begin) > 4);
  assert(difftime(end, begin) < 5);
}
