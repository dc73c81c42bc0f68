// The bits of a floating number are seen by an integer over it.
// verdict: safe
#include <assert.h>
struct value { int tag; union { long number; double real; } as; } v;
int main(void) {
  v.as.real = 1.5;
  v.as.number = 3;
  assert(v.as.number == 3);
  v.as.real = 2.5;
  assert(v.as.number != 0);
}
