// Two workers share the numbers 0 to 2: each is handled once.
#include <assert.h>
#include <stddef.h>

void kt_for(int n_threads, void (*func)(void *, long, int), void *data, long n);

static int handled[3];

static void handle(void *data, long i, int thread) {
    (void)data;
    (void)thread;
    handled[i]++;
}

int main(void) {
    kt_for(2, handle, NULL, 3);
    for (int i = 0; i < 3; i++)
        assert(handled[i] == 1);
    return 0;
}
