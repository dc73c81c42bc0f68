// A producer and two takers: each number is taken at most once.
#include "lfqueue.h"
#include <assert.h>
#include <pthread.h>

static lfqueue_t queue;
static int numbers[2] = {1, 2};

static void *producer(void *arg) {
    assert(lfqueue_enq(&queue, arg) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    assert(lfqueue_init(&queue) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, &numbers[i]);
    int *early = lfqueue_deq(&queue);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = early ? *early : 0;
    for (int *got; (got = lfqueue_deq(&queue)) != NULL;)
        sum += *got;
    assert(sum == 3);
    lfqueue_destroy(&queue);
    return 0;
}
