// What the library keeps of keys does not race.
// verdict: safe
#include <assert.h>
#include <pthread.h>
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int values[2];
static void add(void *value) {
  pthread_mutex_lock(&lock);
  sum += *(int *)value;
  pthread_mutex_unlock(&lock);
}
static void *work(void *value) {
  pthread_key_t key;
  pthread_key_create(&key, add);
  *(int *)value = 1;
  pthread_setspecific(key, value);
  assert(pthread_getspecific(key) == value);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &values[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sum == 2);
  return 0;
}
