// verdict: safe
#include <assert.h>
#include <string.h>
int main(void) {
  char to[20];
  memset(to, 'a', sizeof to);
  memset(to + 4, 'b', 8);
  assert(to[3] == 'a' && to[4] == 'b' && to[11] == 'b' && to[12] == 'a');
}
