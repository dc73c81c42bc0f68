// Two producers and a consumer of bytes: what is consumed was written.
#include <sys/types.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "ringbuf.h"

#define SIZE 4

static ringbuf_t *ring;
static unsigned char bytes[SIZE];

static void *producer(void *arg) {
    unsigned id = *(unsigned *)arg;
    ringbuf_worker_t *worker = ringbuf_register(ring, id);
    ssize_t at = ringbuf_acquire(ring, worker, 1);
    if (at >= 0) {
        bytes[at] = 'a' + id;
        ringbuf_produce(ring, worker);
    }
    ringbuf_unregister(ring, worker);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    unsigned ids[2] = {0, 1};
    size_t size, at, got = 0;
    ringbuf_get_sizes(2, &size, NULL);
    ring = malloc(size);
    assert(ringbuf_setup(ring, 2, SIZE) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t n; (n = ringbuf_consume(ring, &at)) != 0; ringbuf_release(ring, n)) {
        for (size_t i = 0; i < n; i++)
            assert(bytes[at + i] == 'a' || bytes[at + i] == 'b');
        got += n;
    }
    assert(got == 2);
    free(ring);
    return 0;
}
