// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static _Atomic(int) n;
static _Atomic(int *) p;
static int data;

static void *worker(void *arg) {
  int seen = __c11_atomic_load(&n, __ATOMIC_SEQ_CST);
  while (!__c11_atomic_compare_exchange_strong(&n, &seen, seen + 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  __c11_atomic_fetch_add(&n, 2, __ATOMIC_SEQ_CST);
  data = 5;
  __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  __c11_atomic_store(&p, &data, __ATOMIC_RELEASE);
  return arg;
}

int main(void) {
  pthread_t t;
  __c11_atomic_init(&n, 1);
  pthread_create(&t, NULL, worker, NULL);
  __c11_atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
  int *q = __c11_atomic_load(&p, __ATOMIC_ACQUIRE);
  if (q) {
    assert(*q == 5);
    assert(__c11_atomic_exchange(&n, 0, __ATOMIC_SEQ_CST) == 5);
  }
  pthread_join(t, NULL);
  int none = 7;
  assert(!__c11_atomic_compare_exchange_strong(&n, &none, 8, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(none == (q ? 0 : 5));
  return 0;
}
