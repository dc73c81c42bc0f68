// Objects of the library have the sizes that they have in glibc.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
struct queue {
  pthread_mutex_t lock;
  int n;
  sem_t all[2];
  pthread_cond_t more;
};
#define SIZE(type, of_8, of_4) _Static_assert(sizeof(type) == (sizeof(long) == 8 ? of_8 : of_4), #type)
SIZE(pthread_mutex_t, 40, 24);
SIZE(pthread_cond_t, 48, 48);
SIZE(pthread_rwlock_t, 56, 32);
SIZE(pthread_barrier_t, 32, 20);
SIZE(pthread_attr_t, 56, 36);
SIZE(pthread_spinlock_t, 4, 4);
SIZE(pthread_once_t, 4, 4);
SIZE(pthread_mutexattr_t, 4, 4);
SIZE(pthread_condattr_t, 4, 4);
SIZE(pthread_barrierattr_t, 4, 4);
SIZE(pthread_rwlockattr_t, 8, 8);
SIZE(sem_t, 32, 16);
SIZE(mtx_t, 40, 24);
SIZE(cnd_t, 48, 48);
SIZE(struct queue, 160, 108);
_Static_assert(_Alignof(pthread_mutex_t) == sizeof(long) && offsetof(struct queue, n) == sizeof(pthread_mutex_t), "places");
static struct queue q = {PTHREAD_MUTEX_INITIALIZER, 3};
int main(void) {
  pthread_mutex_t *locks = malloc(2 * sizeof(pthread_mutex_t));
  for (int i = 0; i < 2; i++) pthread_mutex_init(&locks[i], 0);
  pthread_mutex_lock(&locks[1]);
  assert(!pthread_mutex_trylock(&locks[0]) && pthread_mutex_trylock(&locks[1]));
  assert(q.n == 3 && !pthread_mutex_trylock(&q.lock));
  struct queue *other = malloc(sizeof *other);
  memset(other, 0, sizeof *other);
  pthread_mutex_lock(&other->lock);
  sem_init(&other->all[1], 0, 1);
  assert(!sem_trywait(&other->all[1]) && sem_trywait(&other->all[1]) == -1 && other->n == 0);
  memset(&other->lock, 0, sizeof other->lock);
  assert(!pthread_mutex_trylock(&other->lock));
  return 0;
}
