// `sscanf` reads floating numbers of both sizes.
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  double d = 0;
  float f = 0;
  int n = 0;
  assert(sscanf("2.5e1 -0.1;7", "%lf%f;%d", &d, &f, &n) == 3);
  assert(d == 25 && f == -0.1f && n == 7);
  assert(sscanf(".5 x", "%*g %lf", &d) == 0);
  return 0;
}
