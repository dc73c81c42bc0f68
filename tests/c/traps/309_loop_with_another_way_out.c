// This loop has a number of turns that is known. That it may end before is no reason to cut it.
// verdict: safe
// options: --unroll 8
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), i;
  for (i = 0; i < 80; i++)
    if (x == 3 * i)
      break;
  assert(i == 80 || x == 3 * i);
  return 0;
}
