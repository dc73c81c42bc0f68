// A semaphore counts to SEM_VALUE_MAX.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
int main(void) {
  sem_t s;
  int value;
  assert(sem_init(&s, 0, SEM_VALUE_MAX - 1) == 0 && sem_post(&s) == 0);
  assert(sem_post(&s) == -1 && errno == EOVERFLOW);
  assert(sem_getvalue(&s, &value) == 0 && value == SEM_VALUE_MAX);
  return 0;
}
