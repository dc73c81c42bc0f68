// Two workers, two jobs; `thpool_wait` returns when both are done.
#include "thpool.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void job(void *arg) {
    (void)arg;
    atomic_fetch_add(&done, 1);
}

int main(void) {
    threadpool pool = thpool_init(2);
    assert(thpool_add_work(pool, job, NULL) == 0);
    assert(thpool_add_work(pool, job, NULL) == 0);
    thpool_wait(pool);
    assert(done == 2);
    thpool_destroy(pool);
    return 0;
}
