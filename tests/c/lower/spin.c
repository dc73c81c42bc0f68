#include <pthread.h>
#include <assert.h>
int a, b = 1; 
void *w(void *p) { a = 1; b = 0; return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,w,0); while (a || b) ; assert(0); return 0; }
