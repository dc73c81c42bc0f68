// run: run --delays any --fair
// expect: safe
// Two threads poll for each other after they have said that they are ready.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int ready[2];

static void *meet(void *other)
{
	int it = other != 0;
	ready[!it] = 1;
	while (!ready[it])
		sched_yield();
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, meet, 0);
	meet(&t);
	pthread_join(t, 0);
}
