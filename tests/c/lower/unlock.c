#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
pthread_mutex_t m; sem_t s; int x;
void *w(void *a) { x = 1; pthread_mutex_unlock(&m); sem_post(&s); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_mutex_lock(&m); pthread_create(&t,0,w,0); pthread_mutex_lock(&m); assert(x == 1); assert(pthread_mutex_trylock(&m) != 0); sem_wait(&s); return 0; }
