// Nobody is woken where the one that waits came in between.
// verdict: bug deadlock
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int go;

static void *w(void *arg) {
  while (!atomic_load(&go)) syscall(SYS_futex, &go, FUTEX_WAIT, 0, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  syscall(SYS_futex, &go, FUTEX_WAKE, 1);
  atomic_store(&go, 1);
  pthread_join(t, 0);
}
