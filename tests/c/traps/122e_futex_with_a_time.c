// verdict: bug assertion
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int go;

int main(void) {
  struct timespec time = {1, 0};
  // It is late: there is nobody else.
  assert(syscall(SYS_futex, &go, FUTEX_WAIT, 0, &time) == 0);
}
