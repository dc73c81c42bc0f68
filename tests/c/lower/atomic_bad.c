#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
void *w(void *a) { x = x + 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); pthread_join(t,0); pthread_join(u,0); assert(x == 2); }
