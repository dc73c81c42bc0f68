// verdict: bug assertion
#include <assert.h>
struct item { char letter; int number; };
static void copy(char *to, char *from, int size) {
  for (int i = 0; i < size; i++) to[i] = from[i];
}
int main(void) {
  struct item item = {'q', -2}, got = {0};
  copy((char *)&got, (char *)&item, sizeof item - 1);
  assert(got.letter == 'q' && got.number == -2);
  return 0;
}
