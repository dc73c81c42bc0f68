// Two workers take three tasks; a graceful end waits for all of them.
#include "threadpool.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void task(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    threadpool_t *pool = threadpool_create(2, 4, 0);
    assert(pool != NULL);
    for (int i = 0; i < 3; i++)
        assert(threadpool_add(pool, task, NULL, 0) == 0);
    assert(threadpool_destroy(pool, threadpool_graceful) == 0);
    assert(done == 3);
    return 0;
}
