// run: run --delays any
// expect: bug assertion
// Three threads count without a lock.
#include <assert.h>
#include <pthread.h>

int count;

void *work(void *unused)
{
	count = count + 1;
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	assert(count == 3);
}
