// A pool with at most two threads runs two tasks before it is freed.
#include "loom.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int done;

static void task(void *env) {
    (void)env;
    atomic_fetch_add(&done, 1);
}

int main(void) {
    loom_config config = {.init_threads = 1, .max_threads = 2, .ring_sz2 = 2};
    struct loom *pool = NULL;
    // The pipe of a thread may fail.
    if (loom_init(&config, &pool) != LOOM_INIT_RES_OK)
        return 0;
    loom_task job = {.task_cb = task};
    assert(loom_enqueue(pool, &job, NULL));
    assert(loom_enqueue(pool, &job, NULL));
    while (atomic_load(&done) < 2)
        sched_yield();
    loom_free(pool);
    assert(done == 2);
    return 0;
}
