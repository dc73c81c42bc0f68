// Two threads count with an atomic addition and a test-and-set lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include "atomic_ops.h"

static volatile AO_t sum;
static AO_TS_t lock = AO_TS_INITIALIZER;
static int count;

static void *worker(void *arg) {
    AO_fetch_and_add1_full(&sum);
    while (AO_test_and_set_acquire(&lock) == AO_TS_SET)
        ;
    count++;
    AO_CLEAR(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(AO_load(&sum) == 2 && count == 2);
    return 0;
}
