#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void bye(void) { assert(x == 1); }
void leave(void) { pthread_exit(0); }
void *w(void *a) { x = 1; leave(); return 0; }
int main(void) {
  pthread_t t;
  atexit(bye);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0;
}
