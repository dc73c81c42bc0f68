// A pointer to characters that was one to a structure leads to each of its bytes, also where some of them are characters.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { int number; char letter; short last; };
static char ring[4][sizeof(struct item)];
static int first, count;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static void copy(void *to, const void *from, size_t size) {
  char *t = to;
  const char *f = from;
  while (size--) *t++ = *f++;
}
static void swap(void *one, void *other, size_t size) {
  char *l = one, *r = other;
  do {
    char kept = *l;
    *l++ = *r;
    *r++ = kept;
  } while (--size > 0);
}
static void sort(void *all, size_t count, size_t size, int (*order)(const void *, const void *)) {
  char *bytes = (char *)all;
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0 && order(bytes + k * size, bytes + (k - 1) * size) < 0; k--) swap(bytes + k * size, bytes + (k - 1) * size, size);
}
static int by_letter(const void *l, const void *r) { return ((const struct item *)l)->letter - ((const struct item *)r)->letter; }
static void put(const struct item *item) {
  pthread_mutex_lock(&held);
  copy(ring[(first + count++) % 4], item, sizeof *item);
  pthread_mutex_unlock(&held);
}
static void *produce(void *arg) {
  struct item item = {70000, 'q', -2};
  put(&item);
  return 0;
}
int main(void) {
  struct item all[3] = {{3, 'c', 30}, {1, 'a', 10}, {2, 'b', 20}}, got;
  sort(all, 3, sizeof *all, by_letter);
  for (int i = 0; i < 3; i++) assert(all[i].number == i + 1 && all[i].letter == 'a' + i && all[i].last == 10 * (i + 1));
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  pthread_join(thread, 0);
  copy(&got, ring[first], sizeof got);
  assert(got.number == 70000 && got.letter == 'q' && got.last == -2);
  return 0;
}
