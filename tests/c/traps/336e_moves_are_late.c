// verdict: bug assertion
// options: --memory tso
#include <assert.h>
#include <pthread.h>
static int x, y, a, b;

static inline void move(int *to, int value) { asm volatile("movl %1, %0" : "=m"(*to) : "ri"(value) : "memory"); }
static inline int moved(int *from) {
  int value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(*from) : "memory");
  return value;
}

static void *w(void *arg) {
  move(&x, 1);
  a = moved(&y);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  move(&y, 1);
  b = moved(&x);
  pthread_join(t, 0);
  assert(a || b);
}
