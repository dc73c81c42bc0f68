// verdict: safe
// options: --verify
#include <assert.h>
int main(void) {
  int a[4] = {1, 2, 3, 4}, b[2][3] = {{1, 2, 3}, {4, 5, 6}}, i = 2;
  *a = 7;
  assert((&a)[0][i] == 3 && a[0] == 7);
  assert((&b[0])[1][0] == 4 && (&b)[0][1][2] == 6);
  (&b[1])[-1][1] = 9;
  assert(b[0][1] == 9 && (*(&a + 0))[3] == 4);
  **b = 5;
  assert(b[0][0] == 5);
}
