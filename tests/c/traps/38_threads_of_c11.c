// The threads of <threads.h>; a recursive mutex is one.
// verdict: safe
#include <threads.h>
#include <assert.h>
mtx_t m;
cnd_t c;
tss_t key;
once_flag once = ONCE_FLAG_INIT;
int ready, begun;
void begin(void) { begun++; }
int run(void *arg) {
  call_once(&once, begin);
  mtx_lock(&m);
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  mtx_unlock(&m);
  return -*(int *)arg;
}
int main(void) {
  thrd_t t, u;
  int two = 2, result = 0;
  mtx_init(&m, mtx_plain | mtx_recursive);
  cnd_init(&c);
  if (thrd_create(&t, run, &two) != thrd_success) return 1;
  thrd_create(&u, run, &two);
  mtx_lock(&m);
  assert(mtx_trylock(&m) == thrd_success);
  mtx_unlock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  thrd_join(t, &result);
  thrd_join(u, 0);
  assert(result == -2 && begun == 1);
}
