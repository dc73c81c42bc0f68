// A sender and a receiver over a channel for one message, which the sender closes.
#include "chan.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static chan_t *channel;
static int messages[2] = {1, 2};

static void *sender(void *arg) {
    (void)arg;
    assert(chan_send(channel, &messages[0]) == 0);
    assert(chan_send(channel, &messages[1]) == 0);
    chan_close(channel);
    return NULL;
}

int main(void) {
    pthread_t thread;
    channel = chan_init(1);
    pthread_create(&thread, NULL, sender, NULL);
    void *got;
    int next = 1;
    while (chan_recv(channel, &got) == 0)
        assert(*(int *)got == next++);
    assert(next == 3);
    pthread_join(thread, NULL);
    chan_dispose(channel);
    return 0;
}
