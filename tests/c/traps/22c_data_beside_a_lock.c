// A lock orders who takes it, not who touches the data that lies beside it in the same structure.
// verdict: bug race
// options: --races
#include <pthread.h>
struct counter { pthread_mutex_t lock; int n; } counter;
void *work(void *arg) {
  pthread_mutex_lock(&counter.lock);
  pthread_mutex_unlock(&counter.lock);
  counter.n++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
