// verdict: safe
#include <assert.h>
#include <string.h>
int main(void) {
  char own[] = "abc";
  const char *other = "abc";
  char *p = own;
  p[0] = 'x';
  own[1] = 'y';
  assert(strcmp(own, "xyc") == 0 && other[0] == 'a');
}
