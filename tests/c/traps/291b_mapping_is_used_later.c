// Memory is used after it was unmapped.
// verdict: bug deref
#include <sys/mman.h>
int main(void) {
  int *p = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  munmap(p, 8);
  return p[1];
}
