// An execution is not followed where it calls, by a pointer, a function of the library that is not written out for that.
// verdict: inconclusive
#include <stdlib.h>
int main(void) {
  long (*f)(long) = labs;
  return f(-3) != 3;
}
