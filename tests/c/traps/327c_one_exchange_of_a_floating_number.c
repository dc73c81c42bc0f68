// An exchange of a number that nothing else decides on works for one thread alone.
// verdict: safe
#include <stdlib.h>
#include <stdatomic.h>
#include <pthread.h>
_Atomic double d; int n;
void *f(void *u) { double z = 0; if (atomic_compare_exchange_strong(&d, &z, 1.0)) n++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a,0,f,0); pthread_create(&b,0,f,0);
  pthread_join(a,0); pthread_join(b,0);
  if (n != 1) abort();
}
