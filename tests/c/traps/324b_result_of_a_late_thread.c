// verdict: bug assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

// The thread may not be done in time.
static void *work(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    void *result = NULL;
    struct timespec until = {1, 0};
    pthread_create(&thread, NULL, work, &thread);
    pthread_timedjoin_np(thread, &result, &until);
    assert(result == &thread);
    return 0;
}
