// verdict: safe
#include <assert.h>
#include <pthread.h>
typedef struct { pthread_t id; int started, number; } worker;
static worker all[2];
static void *work(void *arg) { return arg; }
static worker start(long number) {
  worker w = {0};
  w.number = number;
  w.started = !pthread_create(&w.id, 0, work, (void *)number);
  return w;
}
static long end(worker w) {
  void *result = 0;
  if (w.started) pthread_join(w.id, &result);
  return (long)result;
}
int main(void) {
  all[0] = start(1);
  all[1] = start(2);
  worker first = all[0];
  all[0] = all[1];
  all[1] = first;
  assert(all[0].number == 2 && end(all[0]) == 2 && end(first) == 1);
}
