// verdict: bug assertion
#include <assert.h>
static inline unsigned long long now(void) {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}
int main(void) {
  unsigned long long before = now();
  assert(now() >= before);
}
