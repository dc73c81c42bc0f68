// What is done once can be begun again, and its state copied.
// verdict: safe
#include <pthread.h>
#include <threads.h>
#include <assert.h>
static once_flag a[2];
static pthread_once_t p;
struct holder { pthread_once_t once; int n; };
static int calls;
static void f(void) { calls++; }
int main(void) {
  const pthread_once_t init = PTHREAD_ONCE_INIT;
  pthread_once(&p, f);
  pthread_once(&p, f);
  assert(calls == 1);
  p = init;
  pthread_once(&p, f);
  assert(calls == 2);
  p = PTHREAD_ONCE_INIT;
  pthread_once(&p, f);
  assert(calls == 3);
  pthread_once_t q = p;
  pthread_once(&q, f);
  assert(calls == 3);
  const once_flag none = ONCE_FLAG_INIT;
  call_once(&a[0], f);
  a[1] = a[0];
  call_once(&a[1], f);
  a[0] = none;
  call_once(&a[0], f);
  assert(calls == 5);
  struct holder h = {PTHREAD_ONCE_INIT, 1}, k;
  k.once = h.once;
  pthread_once(&k.once, f);
  assert(calls == 6);
  return 0;
}
