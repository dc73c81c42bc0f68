#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void bye(void) { assert(x == 0); }
void leave(void) { x = 1; pthread_exit(0); }
int main(void) {
  atexit(bye);
  leave();
  return 0;
}
