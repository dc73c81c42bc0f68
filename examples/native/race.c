// run: run --races --delays any
// expect: bug race
// A flag that is no atomic hands a value over.
#include <pthread.h>
#include <stdio.h>

int value, ready;

void *send(void *unused)
{
	value = 42;
	ready = 1;
	return 0;
}

int main(void)
{
	pthread_t sender;
	pthread_create(&sender, 0, send, 0);
	if (ready)
		printf("%d\n", value);
	pthread_join(sender, 0);
}
