// A thread-safe queue of numbers: two threads push, all that was pushed is popped.
#include "qlibc.h"
#include <assert.h>
#include <pthread.h>

static qqueue_t *queue;

static void *producer(void *arg) {
    assert(queue->pushint(queue, *(int *)arg));
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    queue = qqueue(QQUEUE_THREADSAFE);
    assert(queue);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(queue->size(queue) == 2);
    int64_t sum = queue->popint(queue);
    sum += queue->popint(queue);
    assert(sum == 3);
    queue->free(queue);
    return 0;
}
