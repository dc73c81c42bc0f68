// verdict: safe
#include <assert.h>
static int next(int n) { return n + 1; }
int after(int) __attribute__((alias("next")));
extern __typeof__(after) after_all __attribute__((weak, alias("next")));
int main(void) {
  int (*f)(int) = after_all;
  assert(after(2) == 3 && f(3) == 4);
  return 0;
}
