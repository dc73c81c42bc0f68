#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
atomic_int x; int y, z;
void __VERIFIER_atomic_inc(void) { z++; }
void *w(void *a) { x++; atomic_fetch_add(&x, 1); __VERIFIER_atomic_begin(); y++; __VERIFIER_atomic_end(); __VERIFIER_atomic_inc(); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t,0,w,0); pthread_create(&u,0,w,0); pthread_join(t,0); pthread_join(u,0); assert(x == 4 && y == 2 && z == 2); }
