// Two threads count under nsync's mutex, which waits on a futex.
#include "nsync.h"
#include <assert.h>
#include <pthread.h>

static nsync_mu lock = NSYNC_MU_INIT;
static int count;

static void *worker(void *arg) {
    (void)arg;
    nsync_mu_lock(&lock);
    count++;
    nsync_mu_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
