// What `alloca` gives ends with its function.
// verdict: safe
// options: --property memleak
#include <alloca.h>
int main(void) {
  char *p = alloca(4);
  p[0] = 1;
  return p[0] - 1;
}
