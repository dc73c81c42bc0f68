// An object of one type that is written as one of another type does not end the program's check. `_Bool` is a byte.
// verdict: safe
#include <assert.h>
#include <string.h>
_Bool b;
int main(void) {
  *(char *)&b = 1;
  assert(b && *(unsigned char *)&b == 1);
  char zero = 0;
  memcpy(&b, &zero, 1);
  assert(!b);
  return 0;
}
