// Two threads with a handle each: one enqueues, the other dequeues what it finds.
#include <assert.h>
#include <pthread.h>
#include "queue.h"

static queue_t queue;
static handle_t handles[2];
static int number = 7;

static void *producer(void *arg) {
    queue_register(&queue, &handles[1], 1);
    enqueue(&queue, &handles[1], arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    queue_init(&queue, 2);
    queue_register(&queue, &handles[0], 0);
    pthread_create(&thread, NULL, producer, &number);
    int *early = dequeue(&queue, &handles[0]);
    assert(early == NULL || *early == 7);
    pthread_join(thread, NULL);
    int *late = dequeue(&queue, &handles[0]);
    assert(early ? late == NULL : late == &number);
    return 0;
}
