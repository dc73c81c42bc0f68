// A mapping may fail, and its result is then not null.
// verdict: bug deref
#include <sys/mman.h>
int main(void) {
  int *p = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!p) return 1;
  return p[1];
}
