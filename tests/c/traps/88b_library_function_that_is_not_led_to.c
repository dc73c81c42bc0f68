// A pointer to a function of the library that is not written out for that is refused.
// verdict: refused
#include <stdlib.h>
int main(void) {
  long (*f)(long) = labs;
  return f(-3) != 3;
}
