// run: run --delays any
// expect: safe
// Two threads meet; what each wrote before is there for the other.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int values[2];

void *work(void *place)
{
	long i = (long)place;
	values[i] = 1;
	pthread_barrier_wait(&barrier);
	assert(values[1 - i] == 1);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, 0, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
}
