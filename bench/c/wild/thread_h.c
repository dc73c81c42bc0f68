// The library's threads and its queue: what is produced is consumed in order.
#define THREAD_IMPLEMENTATION
#include "thread.h"
#include <assert.h>
#include <stddef.h>

static thread_queue_t queue;
static int numbers[2] = {1, 2};

static int producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        thread_queue_produce(&queue, &numbers[i], THREAD_QUEUE_WAIT_INFINITE);
    return 5;
}

int main(void) {
    void *values[2];
    thread_queue_init(&queue, 2, values, 0);
    thread_ptr_t thread = thread_create(producer, NULL, THREAD_STACK_SIZE_DEFAULT);
    for (int i = 0; i < 2; i++) {
        int *got = thread_queue_consume(&queue, THREAD_QUEUE_WAIT_INFINITE);
        assert(*got == i + 1);
    }
    assert(thread_join(thread) == 5);
    thread_destroy(thread);
    thread_queue_term(&queue);
    return 0;
}
