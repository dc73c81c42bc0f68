#include <pthread.h>
#include <assert.h>
pthread_key_t k;
int v;
int main(void) {
  pthread_setspecific(k, &v);
  pthread_key_create(&k, 0);
  return 0;
}
