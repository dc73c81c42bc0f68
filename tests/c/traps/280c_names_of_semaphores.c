// Slashes before a name are no part of it. A name with another slash is none, nor is one without anything else.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
static int fails(const char *name, int why) {
  errno = 0;
  return sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED && errno == why;
}
int main(void) {
  assert(fails("", EINVAL) && fails("/", EINVAL) && fails("/a/b", EINVAL) && fails("a/", EINVAL));
  errno = 0;
  assert(sem_unlink("/a/b") == -1 && errno == ENOENT);
  assert(sem_open("/long", O_CREAT, 0600, SEM_VALUE_MAX + 1u) == SEM_FAILED && errno == EINVAL);
  sem_t *gate = sem_open("/a", O_CREAT, 0600, 1);
  assert(gate != SEM_FAILED && sem_open("//a", 0) != SEM_FAILED && sem_open("a", 0) != SEM_FAILED);
  assert(sem_open("/long", 0) == SEM_FAILED && errno == ENOENT);
  assert(!sem_unlink("a") && sem_open("/a", 0) == SEM_FAILED);
  return 0;
}
