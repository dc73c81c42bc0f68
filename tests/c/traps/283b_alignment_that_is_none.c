// `posix_memalign` takes powers of two, and multiples of the size of a pointer.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
static int get(void **p, size_t align) { return posix_memalign(p, align, 8); }
int main(void) {
  void *p = (void *)1;
  errno = 0;
  assert(posix_memalign(&p, 3, 8) == EINVAL && posix_memalign(&p, 4, 8) == EINVAL);
  assert(posix_memalign(&p, 0, 8) == EINVAL && posix_memalign(&p, 24, 8) == EINVAL);
  assert(get(&p, 2) == EINVAL && get(&p, 48) == EINVAL);
  assert(p == (void *)1 && errno == 0);
  int (*by_pointer)(void **, size_t, size_t) = posix_memalign;
  assert(by_pointer(&p, 6, 2) == EINVAL && !by_pointer(&p, 8, 2));
  return 0;
}
