#include <pthread.h>
#include <assert.h>
volatile int t;
void *w(void *a) { t = 5; return 0; }
int main(void) { { pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); } assert(t == 5); return 0; }
