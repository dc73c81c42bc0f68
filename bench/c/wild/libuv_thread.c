// libuv's own threads, mutexes, conditions and semaphores.
#include "uv.h"
#include <assert.h>
#include <stddef.h>

static uv_mutex_t lock;
static uv_sem_t done;
static int count;

static void worker(void *arg) {
    (void)arg;
    uv_mutex_lock(&lock);
    count++;
    uv_mutex_unlock(&lock);
    uv_sem_post(&done);
}

int main(void) {
    uv_thread_t threads[2];
    assert(uv_mutex_init(&lock) == 0 && uv_sem_init(&done, 0) == 0);
    for (int i = 0; i < 2; i++)
        assert(uv_thread_create(&threads[i], worker, NULL) == 0);
    uv_sem_wait(&done);
    uv_sem_wait(&done);
    assert(count == 2);
    for (int i = 0; i < 2; i++)
        assert(uv_thread_join(&threads[i]) == 0);
    uv_sem_destroy(&done);
    uv_mutex_destroy(&lock);
    return 0;
}
