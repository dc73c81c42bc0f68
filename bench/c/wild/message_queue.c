// A writer takes a block, fills it and sends it; the reader gives it back.
#include "message_queue.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct message_queue queue;

static void *writer(void *arg) {
    int *message = message_queue_message_alloc_blocking(&queue);
    *message = *(int *)arg;
    message_queue_write(&queue, message);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2}, sum = 0;
    assert(message_queue_init(&queue, sizeof(int), 2) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        int *message = message_queue_read(&queue);
        sum += *message;
        message_queue_message_free(&queue, message);
    }
    assert(sum == 3);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    message_queue_destroy(&queue);
    return 0;
}
