// verdict: safe
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int go;
static int x;

static void *w(void *arg) {
  x = 1;
  asm volatile("" ::: "memory");
  __asm__ __volatile__("mfence" ::: "memory");
  atomic_store(&go, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  while (!atomic_load(&go)) {
    __asm__ __volatile__("pause");
    asm("rep; nop" ::: "memory");
    asm volatile("pause\n\t" : : : "memory");
    asm volatile("yield");
    __builtin_ia32_pause();
    _mm_pause();
  }
  assert(x == 1);
  pthread_join(t, 0);
}
