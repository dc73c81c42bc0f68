// Memory without a file is zero, lies in whole pages, and is shared by all threads. It is no leak.
// verdict: safe
// options: --check memleak
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
struct shared {
  pthread_mutex_t m;
  long x;
};
static struct shared *s;
static void *add(void *a) {
  pthread_mutex_lock(&s->m);
  s->x++;
  pthread_mutex_unlock(&s->m);
  return 0;
}
int main(void) {
  s = mmap(0, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED) return 1;
  assert(s->x == 0 && ((uintptr_t)s & 4095) == 0);
  pthread_mutex_init(&s->m, 0);
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(s->x == 2);
  int *n = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (n != MAP_FAILED) {
    n[1] = 3;
    munmap(n, 4096);
  }
  return 0;
}
