// One writer, one reader: numbers come out in the order in which they went in.
#include "pa_ringbuffer.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static PaUtilRingBuffer ring;
static int storage[4];

static void *writer(void *arg) {
    (void)arg;
    int numbers[2] = {1, 2};
    assert(PaUtil_WriteRingBuffer(&ring, numbers, 2) == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int got, next = 1;
    assert(PaUtil_InitializeRingBuffer(&ring, sizeof(int), 4, storage) == 0);
    pthread_create(&thread, NULL, writer, NULL);
    if (PaUtil_ReadRingBuffer(&ring, &got, 1) == 1)
        assert(got == next++);
    pthread_join(thread, NULL);
    while (PaUtil_ReadRingBuffer(&ring, &got, 1) == 1)
        assert(got == next++);
    assert(next == 3);
    return 0;
}
