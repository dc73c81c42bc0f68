// verdict: safe
#include <assert.h>
static int into(int from) {
  int n = 0, i;
  if (from == 1) goto first;
  if (from == 2) goto second;
  n += 1000;
  for (i = 0; i < 3; i++) {
    n++;
    if (i == 1) {
    first:
      i = 2;
      n += 10;
    } else {
    second:
      n += 100;
      i = from == 2 ? 2 : i;
    }
  }
  return n;
}
int main(void) {
  int n = 0;
  goto in;
  while (n < 10) {
    n += 2;
  in:
    n++;
  }
  assert(n == 10);
  assert(into(0) == 1112 && into(1) == 10 && into(2) == 100);
}
