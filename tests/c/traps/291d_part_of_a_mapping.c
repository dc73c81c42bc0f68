// Unmapping a part is not followed.
// verdict: inconclusive
#include <assert.h>
#include <sys/mman.h>
int main(void) {
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  munmap(p, 4096);
  return 0;
}
