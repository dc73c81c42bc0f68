// Two threads enqueue one number each; afterwards both are there.
#include "lfq.h"
#include <assert.h>
#include <pthread.h>

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
    int *early = lfq_dequeue(&queue);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = early ? *early : 0;
    for (int *got; (got = lfq_dequeue(&queue)) != NULL;)
        sum += *got;
    assert(sum == 3);
    lfq_clean(&queue);
    return 0;
}
