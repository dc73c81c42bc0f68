// Two producers and a consumer with a hazard pointer.
#include "lfq.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct lfq_ctx queue;
static int numbers[2] = {1, 2};

static void *producer(void *arg) {
    assert(lfq_enqueue(&queue, arg) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    assert(lfq_init(&queue, 2) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, &numbers[i]);
    int *early = lfq_dequeue_tid(&queue, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = early ? *early : 0;
    for (int *got; (got = lfq_dequeue_tid(&queue, 0)) != NULL;)
        sum += *got;
    assert(sum == 3);
    return 0;
}
