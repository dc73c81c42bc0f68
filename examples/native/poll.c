// run: run --delays any --fair
// expect: bug livelock
// Two threads poll for each other before they say that they are ready.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int ready[2];

static void *meet(void *other)
{
	int it = other != 0;
	while (!ready[it])
		sched_yield();
	ready[!it] = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, meet, 0);
	meet(&t);
	pthread_join(t, 0);
}
