// A pool with two workers; results of two jobs come back in the order of the jobs.
#include "htslib/hts_log.h"
#include "htslib/thread_pool.h"
#include <assert.h>
#include <stddef.h>

// The log's own file is not part of this.
void hts_log(enum htsLogLevel severity, const char *context, const char *format, ...) {
    (void)severity, (void)context, (void)format;
}

static void *job(void *arg) {
    *(int *)arg *= 10;
    return arg;
}

int main(void) {
    int numbers[2] = {1, 2};
    hts_tpool *pool = hts_tpool_init(2);
    hts_tpool_process *process = hts_tpool_process_init(pool, 4, 0);
    for (int i = 0; i < 2; i++)
        assert(hts_tpool_dispatch(pool, process, job, &numbers[i]) == 0);
    for (int i = 0; i < 2; i++) {
        hts_tpool_result *result = hts_tpool_next_result_wait(process);
        assert(result && *(int *)hts_tpool_result_data(result) == 10 * (i + 1));
        hts_tpool_delete_result(result, 0);
    }
    hts_tpool_process_destroy(process);
    hts_tpool_destroy(pool);
    return 0;
}
