// What the library itself uses for semaphores with names is initialised. Each opening is closed once.
// verdict: safe
// options: --check misuse
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
int main(void) {
  sem_t *a = sem_open("/x", O_CREAT, 0600, 1);
  sem_t *b = sem_open("/x", 0);
  assert(!sem_close(a));
  sem_wait(b);
  sem_post(b);
  sem_post(b);
  assert(!sem_close(b));
  assert(sem_close(b) == -1 && errno == EINVAL);
  // It is there until its name is gone.
  int value;
  a = sem_open("/x", O_CREAT, 0600, 7);
  sem_getvalue(a, &value);
  assert(value == 2);
  sem_t own;
  sem_init(&own, 0, 1);
  errno = 0;
  assert(sem_close(&own) == -1 && errno == EINVAL);
  return 0;
}
