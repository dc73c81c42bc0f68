// A list of arguments is passed to a function that is called by a pointer.
// verdict: safe
#include <assert.h>
#include <stdarg.h>
typedef int (*reads)(int, va_list);
static int sum(int n, va_list list) {
  int all = 0;
  while (n--) all += va_arg(list, int);
  return all;
}
static int first(int n, va_list list) { return va_arg(list, int); }
static int nothing(int n, va_list list) { return n; }
static int call(reads f, int n, ...) {
  va_list list;
  va_start(list, n);
  int all = f(n, list);
  va_end(list);
  return all;
}
int main(void) {
  assert(call(sum, 2, 3, 4) == 7);
  assert(call(first, 2, 3, 4) == 3);
  assert(call(nothing, 2, 3, 4) == 2);
  return 0;
}
