// verdict: bug misuse
// options: --check misuse
#include <pthread.h>

static pthread_mutex_t m;
static pthread_rwlock_t r;
static pthread_spinlock_t p;
static pthread_barrier_t b;

static void *worker(void *arg) {
  pthread_barrier_wait(&b);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&r);
  pthread_rwlock_unlock(&r);
  pthread_spin_lock(&p);
  pthread_spin_unlock(&p);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, NULL);
  pthread_rwlock_init(&r, NULL);
  pthread_spin_init(&p, 0);
  pthread_barrier_init(&b, NULL, 2);
  pthread_create(&t, NULL, worker, NULL);
  pthread_barrier_wait(&b);
  pthread_spin_destroy(&p);
  pthread_rwlock_destroy(&r);
  pthread_mutex_destroy(&m);
  pthread_barrier_destroy(&b);
  pthread_join(t, NULL);
  return 0;
}
