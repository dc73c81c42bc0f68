// Times that functions of the library take may be literals and elements of arrays.
// verdict: safe
#include <time.h>
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
sem_t s;
int n;
int next(void) { return n++; }
int main(void) {
  struct timespec a[2] = {{0, 1}, {0, 2}};
  nanosleep(&(struct timespec){0, next()}, 0);
  nanosleep((const struct timespec[]){{0, 500000000L}}, NULL);
  nanosleep(&(struct timespec){.tv_nsec = 5}, &(struct timespec){0});
  nanosleep(&a[next() ? 1 : 0], 0);
  sem_init(&s, 0, 1);
  sem_timedwait(&s, &a[n & 1]);
  sem_timedwait(&s, &(struct timespec){1, 2});
  assert(n == 2);
  return 0;
}
