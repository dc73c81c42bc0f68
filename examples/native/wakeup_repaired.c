// run: run --delays any
// expect: safe
// The wait looks at the condition under the lock.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

void *wait(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t waiter;
	pthread_create(&waiter, 0, wait, 0);
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&lock);
	pthread_join(waiter, 0);
}
