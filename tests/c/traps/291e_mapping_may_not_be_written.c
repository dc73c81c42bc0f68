// Nobody checks what may be written where memory is protected, so executions end there.
// verdict: inconclusive
#include <sys/mman.h>
int main(void) {
  int *p = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  mprotect(p, 8, PROT_READ);
  p[0] = 1;
  return 0;
}
