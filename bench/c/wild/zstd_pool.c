// Two workers, two jobs, and a wait for both.
#include "pool.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void job(void *arg) {
    (void)arg;
    atomic_fetch_add(&done, 1);
}

int main(void) {
    POOL_ctx *pool = POOL_create(2, 2);
    assert(pool);
    POOL_add(pool, job, NULL);
    POOL_add(pool, job, NULL);
    POOL_joinJobs(pool);
    assert(done == 2);
    POOL_free(pool);
    return 0;
}
