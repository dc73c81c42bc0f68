// A producer pushes two numbers; the consumer sees them in this order, then the end.
#include "pipe.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *producer(void *arg) {
    pipe_producer_t *out = arg;
    int numbers[2] = {1, 2};
    pipe_push(out, numbers, 2);
    pipe_producer_free(out);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pipe_t *pipe = pipe_new(sizeof(int), 0);
    pipe_producer_t *out = pipe_producer_new(pipe);
    pipe_consumer_t *in = pipe_consumer_new(pipe);
    pipe_free(pipe);
    pthread_create(&thread, NULL, producer, out);
    int value = 0, next = 1;
    while (pipe_pop(in, &value, 1))
        assert(value == next++);
    assert(next == 3);
    pipe_consumer_free(in);
    pthread_join(thread, NULL);
    return 0;
}
