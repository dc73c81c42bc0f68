// A hash over the bytes of a structure with a text in it.
// verdict: safe
#include <assert.h>
#include <string.h>
struct key { char name[4]; int number; };
static unsigned hash(const void *what, size_t size) {
  const unsigned char *p = what;
  unsigned h = 2166136261u;
  for (size_t i = 0; i < size; i++) {
    h ^= p[i];
    h *= 16777619u;
  }
  return h;
}
int main(void) {
  struct key a = { "ab", 7 }, b = { "ab", 7 };
  assert(hash(&a, sizeof a) == 1982809261u);
  assert(!memcmp(&a, &b, sizeof a));
  b.number = 8;
  assert(memcmp(&a, &b, sizeof a) < 0);
  return 0;
}
