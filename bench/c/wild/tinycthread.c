// A mutex, a condition and a result of a thread.
#include "tinycthread.h"
#include <assert.h>
#include <stddef.h>

static mtx_t lock;
static cnd_t ready;
static int is_ready;

static int waiter(void *arg) {
    (void)arg;
    mtx_lock(&lock);
    while (!is_ready)
        cnd_wait(&ready, &lock);
    mtx_unlock(&lock);
    return 7;
}

int main(void) {
    thrd_t thread;
    int result = 0;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&ready) == thrd_success);
    assert(thrd_create(&thread, waiter, NULL) == thrd_success);
    mtx_lock(&lock);
    is_ready = 1;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == 7);
    cnd_destroy(&ready);
    mtx_destroy(&lock);
    return 0;
}
