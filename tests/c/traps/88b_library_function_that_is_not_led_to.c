// An execution is not followed where it calls, by a pointer, a function of the library whose work depends on the types of its arguments.
// verdict: inconclusive
#include <string.h>
int main(void) {
  void *(*f)(void *, const void *, size_t) = memcpy;
  int a = 3, b;
  f(&b, &a, sizeof b);
  return b != 3;
}
