// verdict: inconclusive
#include <assert.h>
_Bool b;
int main(void) {
  *(char *)&b = 2;
  assert(*(char *)&b == 1);
  return 0;
}
