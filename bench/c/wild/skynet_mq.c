// A service's queue: one thread pushes, another one pops; the message says where it comes from.
#include "skynet.h"
#include "skynet_mq.h"
#include <assert.h>
#include <pthread.h>

static struct message_queue *queue;

static void *sender(void *arg) {
    struct skynet_message message = {.source = *(uint32_t *)arg, .session = 1};
    skynet_mq_push(queue, &message);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    uint32_t sources[2] = {1, 2}, sum = 0;
    struct skynet_message message;
    skynet_mq_init();
    queue = skynet_mq_create(9);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, sender, &sources[i]);
    if (skynet_mq_pop(queue, &message) == 0)
        sum += message.source;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    while (skynet_mq_pop(queue, &message) == 0)
        sum += message.source;
    assert(sum == 3 && skynet_mq_length(queue) == 0);
    return 0;
}
