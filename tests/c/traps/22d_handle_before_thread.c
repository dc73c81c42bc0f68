// The handle of a thread is stored before the thread begins: who learns from the thread that it runs may read it.
// verdict: safe
// options: --races
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t worker;
int runs;
void *work(void *arg) {
  pthread_mutex_lock(&lock);
  runs = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
void *clean(void *arg) {
  pthread_mutex_lock(&lock);
  if (runs) pthread_join(worker, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t cleaner;
  pthread_create(&cleaner, 0, clean, 0);
  pthread_create(&worker, 0, work, 0);
  pthread_join(cleaner, 0);
  return 0;
}
