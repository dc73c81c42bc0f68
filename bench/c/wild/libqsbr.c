// A reader passes checkpoints; the writer frees the old object behind a barrier.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "qsbr.h"

static qsbr_t *qsbr;
static _Atomic(int *) shared;

static void *reader(void *arg) {
    (void)arg;
    qsbr_register(qsbr);
    int *seen = atomic_load(&shared);
    assert(*seen == 1 || *seen == 2);
    qsbr_checkpoint(qsbr);
    qsbr_unregister(qsbr);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *old = malloc(sizeof(int)), *new = malloc(sizeof(int));
    *old = 1;
    *new = 2;
    qsbr = qsbr_create();
    qsbr_register(qsbr);
    atomic_store(&shared, old);
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&shared, new);
    qsbr_epoch_t target = qsbr_barrier(qsbr);
    while (!qsbr_sync(qsbr, target))
        sched_yield();
    free(old);
    pthread_join(thread, NULL);
    qsbr_unregister(qsbr);
    qsbr_destroy(qsbr);
    free(new);
    return 0;
}
