// As many variables are written as the call says.
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5, a[2] = {1, 2};
  if (scanf("%d", &n) != 1) assert(n == 5);
  int r = scanf("%d %d", &a[0], &a[1]), sum = 0;
  for (int i = 0; i < r; i++) sum += a[i];
  assert(r >= EOF && (r > 0 || sum == 0));
  if (r < 2) assert(a[1] == 2);
  FILE *f = fopen("numbers", "r");
  if (!f) return 1;
  unsigned u = 7;
  if (fscanf(f, "%u", &u) < 1) assert(u == 7);
  return 0;
}
