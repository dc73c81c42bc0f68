#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void *w(void *a) { abort(); return 0; }
void stop(int v) { if (v) exit(0); }
int main(void) { pthread_t t; pthread_create(&t,0,w,0); stop(1); assert(0); }
