// `longjmp` leads out of functions, out of the middle of expressions and of a sort, to the newest `setjmp` that it names.
// verdict: safe
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf at;
static int entered;
static int last(int n) {
  entered++;
  if (n == 0) longjmp(at, 7);
  int below = last(n - 1);
  entered = 100;
  return below;
}
static int odd(int n) {
  if (n % 2 == 0) longjmp(at, 0);
  return n;
}
static int ordered(const void *a, const void *b) {
  if (*(const int *)a == 13) longjmp(at, 2);
  return *(const int *)a - *(const int *)b;
}
static int again(void) { return setjmp(at); }
static int (*through)(int) = odd;
int main(void) {
  int got = setjmp(at);
  if (got == 0) last(3), assert(0);
  assert(got == 7 && entered == 4);
  volatile int way = 0, sum = 5;
  switch (setjmp(at)) {
    case 0: way = 1; sum = odd(3) + through(4); break;
    case 1: way++; break;
    default: assert(0);
  }
  assert(way == 2 && sum == 5);
  for (volatile int i = 0; i < 3; i++) {
    if (setjmp(at) != 0) { way += 10; continue; }
    odd(i);
  }
  assert(way == 22);
  int all[] = {3, 13, 1};
  if (!setjmp(at)) qsort(all, 3, sizeof *all, ordered), assert(0);
  volatile int rounds = 0;
  while (setjmp(at) == 0) rounds++, odd(rounds);
  assert(rounds == 2);
  return again();
}
