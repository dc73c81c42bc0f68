// verdict: safe
#include <pthread.h>
#include <assert.h>
static pthread_t other = 0;
int done;
void *run(void *unused) {
  done = 1;
  return 0;
}
int main(void) {
  pthread_t t = 0;
  if (!t)
    pthread_create(&t, 0, run, 0);
  if (t && other == 0)
    pthread_join(t, 0);
  assert(done);
}
