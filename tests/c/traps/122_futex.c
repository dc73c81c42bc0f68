// A mutex of three states: nobody, held, held and waited for.
// verdict: safe
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int m;
static int n;

static long futex(atomic_int *at, int what, int value) {
  return syscall(SYS_futex, at, what, value, NULL, NULL, 0);
}

static void lock(void) {
  int c = 0;
  if (atomic_compare_exchange_strong(&m, &c, 1)) return;
  if (c != 2) c = atomic_exchange(&m, 2);
  while (c != 0) {
    futex(&m, FUTEX_WAIT_PRIVATE, 2);
    c = atomic_exchange(&m, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&m, 1) != 1) {
    atomic_store(&m, 0);
    futex(&m, FUTEX_WAKE_PRIVATE, 1);
  }
}

static void *w(void *arg) {
  lock();
  n++;
  unlock();
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(n == 2);
}
