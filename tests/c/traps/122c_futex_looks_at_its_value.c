// verdict: safe
#include <errno.h>
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int go;

static void *w(void *arg) {
  while (!atomic_load(&go))
    if (syscall(SYS_futex, &go, FUTEX_WAIT, 0, NULL)) assert(errno == EAGAIN);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  atomic_store(&go, 1);
  long woken = syscall(SYS_futex, &go, FUTEX_WAKE, 2147483647);
  assert(woken >= 0 && woken <= 2);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
