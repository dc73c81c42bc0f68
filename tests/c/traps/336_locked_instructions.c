// verdict: safe
// options: --volatile atomic
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile unsigned lock;
static volatile int served, next;
static int guarded, twice, left = 2, last_ones;
static volatile uint64_t high;

static inline unsigned xchg(volatile unsigned *at, unsigned new) {
  unsigned result;
  asm volatile("lock; xchgl %0, %1" : "+m"(*at), "=a"(result) : "1"(new) : "cc");
  return result;
}

static inline int xadd(volatile int *at, int by) {
  __asm__ __volatile__("lock xaddl %0, (%1)" : "+r"(by) : "r"(at) : "memory", "cc");
  return by;
}

static inline int compare(volatile int *at, int old, int new) {
  int was;
  asm volatile("lock\n\tcmpxchgl %2, %1" : "=a"(was), "+m"(*at) : "r"(new), "0"(old) : "memory");
  return was;
}

static inline _Bool compare64(volatile uint64_t *at, uint64_t *old, uint64_t new) {
  _Bool done;
  asm volatile("lock; cmpxchgq %[new], %[at]\n\tsete %[done]"
               : [done] "=q"(done), [at] "+m"(*at), "+a"(*old)
               : [new] "r"(new)
               : "memory", "cc");
  return done;
}

static inline int down_to_zero(int *at) {
  unsigned char zero;
  asm volatile("lock; decl %0; sete %1" : "+m"(*at), "=qm"(zero) : : "memory");
  return zero;
}

static inline int down_to_zero_by_flag(int *at) {
  int zero;
  asm volatile("lock subl $1, %[at]" : [at] "+m"(*at), "=@ccz"(zero) : : "memory");
  return zero;
}

static void *work(void *arg) {
  while (xchg(&lock, 1)) asm volatile("pause");
  guarded++;
  asm volatile("movl $0, %0" : "=m"(lock) : : "memory");
  int mine = xadd(&next, 1);
  while (served != mine) asm volatile("rep; nop" ::: "memory");
  twice++;
  asm volatile("incl %0" : "+m"(served));
  uint64_t old = 0;
  while (!compare64(&high, &old, old + ((uint64_t)1 << 40))) continue;
  if (arg ? down_to_zero(&left) : down_to_zero_by_flag(&left)) last_ones++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, &t);
  work(0);
  pthread_join(t, 0);
  assert(guarded == 2 && twice == 2 && last_ones == 1 && left == 0);
  assert(high == (uint64_t)2 << 40);
  int x = 7;
  assert(compare(&x, 6, 1) == 7 && x == 7);
  assert(compare(&x, 7, 1) == 7 && x == 1);
}
