// Two threads log under a lock that the program gives; a callback counts the messages.
#include "log.h"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int messages;

static void lock(bool take, void *udata) {
    if (take)
        pthread_mutex_lock(udata);
    else
        pthread_mutex_unlock(udata);
}

static void count(log_Event *event) {
    (void)event;
    messages++;
}

static void *worker(void *arg) {
    log_info("worker %d", *(int *)arg);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int ids[2] = {0, 1};
    log_set_lock(lock, &mutex);
    log_set_quiet(true);
    assert(log_add_callback(count, NULL, LOG_INFO) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(messages == 2);
    return 0;
}
