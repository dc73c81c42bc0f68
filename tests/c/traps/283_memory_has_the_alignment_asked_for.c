// Variables and allocated memory lie at multiples of the number that the program asks for.
// verdict: safe
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
struct line { _Alignas(64) int a; };
static struct line one, many[3];
static _Alignas(128) char text[5];
static void *get(size_t align, size_t size) {
  void *p;
  return posix_memalign(&p, align, size) ? 0 : p;
}
static int calls;
static size_t eight(void) {
  calls++;
  return 8;
}
static int is_at(const void *p, unsigned align) { return (uintptr_t)p % align == 0; }
int main(void) {
  struct line *line = aligned_alloc(64, sizeof *line);
  assert(is_at(line, 64));
  for (int i = 0; i < 2; i++) {
    void *p, *q = memalign(512, 3);
    assert(!posix_memalign(&p, 256, 8) && is_at(p, 256) && is_at(q, 512));
  }
  _Alignas(32) char local = 0;
  assert(is_at(&one, 64) && is_at(&many[2], 64) && is_at(text, 128) && is_at(&local, 32));
  assert(is_at(get(1024, 8), 1024));
  void *p = aligned_alloc(eight(), calls + 2);
  assert(calls == 1 && p);
  return 0;
}
