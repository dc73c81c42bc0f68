#include <pthread.h>
#include <assert.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i],0,w,0); for (int i = 0; i < 2; i++) pthread_join(t[i],0); assert(x == 2); return 0; }
