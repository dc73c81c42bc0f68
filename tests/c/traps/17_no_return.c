// A function that gives nothing back is no error if nobody uses what it gives.
// verdict: safe
#include <pthread.h>
int x;
void *work(void *arg) { x = 1; }
int twice(int n) { x = n; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  twice(2);
}
