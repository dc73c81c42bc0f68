// A jump into a block passes over the condition, and over what stands before the label.
// verdict: safe
#include <assert.h>
int f(int a) {
  int trace = 0;
  if (a == 1) goto inner;
  trace += 10;
  if (a == 2) goto after;
  if (trace == 10) {
    trace += 100;
inner:
    trace += 1000;
    if (a == 4) trace += 7;
  } else {
    trace = -1;
  }
after:
  return trace;
}
int main(void) {
  assert(f(0) == 1110);
  assert(f(1) == 1000);
  assert(f(2) == 10);
  assert(f(4) == 1117);
}
