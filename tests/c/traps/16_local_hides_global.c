// A local variable hides a global one of the same name.
// verdict: safe
#include <assert.h>
#include <pthread.h>
int t = 5;
void *look(void *arg) { assert(t == 5); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  pthread_join(t, 0);
}
