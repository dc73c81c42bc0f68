#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x, done;
pthread_mutex_t m;
void *w(void *a) { pthread_mutex_lock(&m); if (done) assert(0); return 0; }
int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t,0,w,0); exit(1); }
