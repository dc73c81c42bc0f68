// run: run
// expect: bug deadlock
// Each philosopher takes the left fork first.
#include <pthread.h>

#define N 3
pthread_mutex_t forks[N];

void *eat(void *place)
{
	long i = (long)place;
	pthread_mutex_lock(&forks[i]);
	pthread_mutex_lock(&forks[(i + 1) % N]);
	pthread_mutex_unlock(&forks[(i + 1) % N]);
	pthread_mutex_unlock(&forks[i]);
	return 0;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&forks[i], 0);
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], 0, eat, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], 0);
}
