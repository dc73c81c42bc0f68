// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static unsigned long first;
static struct entry { uintptr_t id; } entry;
static int is_own(unsigned long id) { return id == (unsigned long)pthread_self(); }
static void *work(void *arg) {
  size_t own = pthread_self();
  assert(is_own(pthread_self()) && own % 2 == 0);
  return arg;
}
static void *wait_for(void *other) {
  void *result;
  pthread_join((pthread_t)other, &result);
  assert(result == (void *)5);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)5);
  first = t;
  entry.id = t;
  assert(first == t && entry.id == t && t != pthread_self());
  pthread_create(&u, 0, wait_for, (void *)t);
  pthread_join(u, 0);
}
