// run: run
// expect: bug signal
// A pointer is used that another thread has not set yet.
#include <pthread.h>
#include <stdlib.h>

_Atomic(int *) box;

void *fill(void *unused)
{
	int *place = malloc(sizeof *place);
	*place = 1;
	box = place;
	return 0;
}

int main(void)
{
	pthread_t filler;
	pthread_create(&filler, 0, fill, 0);
	*box = 2;
	pthread_join(filler, 0);
	free(box);
}
