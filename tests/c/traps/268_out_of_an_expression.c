// `goto`, `return` and loops within the statements of an expression.
// verdict: safe
#include <assert.h>
static int stop;
static int look(int n) { stop = n > 3; return n; }
#define OR_ELSE(n, what) ({ int got = look(n); if (stop) what; got; })
static int run(int n) {
  int count = 0;
again:
  count++;
  if (count > 1) return 100 + count;
  if (OR_ELSE(n, goto out) == 2 && OR_ELSE(n + 2, goto again)) count = 7;
  for (int i = 0; i < OR_ELSE(n, return 55); i++) count += OR_ELSE(i, goto out);
  return count + ({ int k = 0; more: if (++k < 3) goto more; k; });
out:
  return -1;
}
int main(void) {
  assert(run(1) == 4);
  assert(run(2) == 102);
  assert(run(3) == 7);
  assert(run(4) == -1);
}
