// Headers of other libraries, already in the text, have a function of that name.
// verdict: bug assertion
#include <assert.h>
extern int __overflow(void *, int);
int main(void) {
  int sum;
  assert(!__builtin_add_overflow(2147483647, 1, &sum));
  return 0;
}
