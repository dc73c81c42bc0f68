// run: run --delays any
// expect: safe
// The last philosopher takes the right fork first.
#include <pthread.h>

#define N 3
pthread_mutex_t forks[N];

void *eat(void *place)
{
	long i = (long)place;
	long first = i < N - 1 ? i : 0, second = i < N - 1 ? i + 1 : i;
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
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
