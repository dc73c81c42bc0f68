// Two workers, two jobs, and a wait for both.
#include "threadpool.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void job(void *arg) {
    (void)arg;
    atomic_fetch_add(&done, 1);
}

int main(void) {
    TPool *pool = TPool_create(2, 2);
    assert(pool);
    TPool_submitJob(pool, job, NULL);
    TPool_submitJob(pool, job, NULL);
    TPool_jobsCompleted(pool);
    assert(done == 2);
    TPool_free(pool);
    return 0;
}
