// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static _Thread_local sigjmp_buf at;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failed, shared;
static void *work(void *arg) {
  if (sigsetjmp(at, 1) == 0) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    if (arg) siglongjmp(at, 1);
    return 0;
  }
  pthread_mutex_lock(&lock);
  failed++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared == 2 && failed == 1);
}
