// A producer and a consumer: what is popped was pushed, in that order.
#include "sts_queue.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static StsHeader *queue;
static int values[2] = {1, 2};

static void *producer(void *arg) {
    (void)arg;
    StsQueue.push(queue, &values[0]);
    StsQueue.push(queue, &values[1]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    queue = StsQueue.create();
    pthread_create(&thread, NULL, producer, NULL);
    int *first = StsQueue.pop(queue);
    assert(first == NULL || *first == 1);
    pthread_join(thread, NULL);
    int *second = StsQueue.pop(queue);
    assert(second && *second == (first ? 2 : 1));
    StsQueue.destroy(queue);
    return 0;
}
