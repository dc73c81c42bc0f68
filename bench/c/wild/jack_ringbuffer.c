// One writer, one reader of bytes.
#include "jack/ringbuffer.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static jack_ringbuffer_t *ring;

static void *writer(void *arg) {
    (void)arg;
    assert(jack_ringbuffer_write(ring, "ab", 2) == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    char got[2];
    ring = jack_ringbuffer_create(4);
    pthread_create(&thread, NULL, writer, NULL);
    size_t n = jack_ringbuffer_read(ring, got, 2);
    assert(n < 1 || got[0] == 'a');
    pthread_join(thread, NULL);
    n += jack_ringbuffer_read(ring, got + n, 2 - n);
    assert(n == 2 && got[0] == 'a' && got[1] == 'b');
    jack_ringbuffer_free(ring);
    return 0;
}
