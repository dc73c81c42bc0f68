// A function that is called by a pointer reads more arguments than there are.
// verdict: bug index
#include <stdarg.h>
static int sum(int n, va_list list) {
  int all = 0;
  while (n--) all += va_arg(list, int);
  return all;
}
static int call(int (*f)(int, va_list), int n, ...) {
  va_list list;
  va_start(list, n);
  int all = f(n, list);
  va_end(list);
  return all;
}
int main(void) { return call(sum, 3, 3, 4); }
