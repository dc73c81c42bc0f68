#include <pthread.h>
#include <assert.h>
void *w(void *a) { assert(0); return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,w,0); pthread_exit(0); }
