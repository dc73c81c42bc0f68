// verdict: safe
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
  asm volatile("lock; orl $0, (%%rsp)" ::: "memory");
  a = moved(&y);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  move(&y, 1);
  int one = 1;
  asm volatile("xchg %0, %1" : "+r"(one), "+m"(y));
  b = moved(&x);
  pthread_join(t, 0);
  assert(a || b);
}
