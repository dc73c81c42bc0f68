// run: run --delays any
// expect: safe
// Four threads count under a mutex.
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	count = count + 1;
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	assert(count == 4);
}
