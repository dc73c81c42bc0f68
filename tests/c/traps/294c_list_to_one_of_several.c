// One function that a pointer leads to reads a list, and another one reads more arguments than it names.
// verdict: safe
#include <assert.h>
#include <stdarg.h>
static int first(va_list list) { return va_arg(list, int); }
static int plain(va_list list) { return 5; }
static int call(int (*f)(va_list), ...) {
  va_list list;
  va_start(list, f);
  int one = f(list);
  va_end(list);
  return one;
}
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int all = 0;
  while (n--) all += va_arg(list, int);
  va_end(list);
  return all;
}
int main(void) {
  int (*add)(int, ...) = sum;
  assert(call(first, 7, 8) == 7 && call(plain, 7) == 5 && add(2, 3, 4) == 7);
  return 0;
}
