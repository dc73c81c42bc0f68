// A thread is started, signals a condition with data, and is joined with its result.
#include "sc_cond.h"
#include "sc_mutex.h"
#include "sc_thread.h"
#include <assert.h>
#include <stddef.h>

static struct sc_cond ready;
static struct sc_mutex lock;
static int data = 7, count;

static void *worker(void *arg) {
    sc_mutex_lock(&lock);
    count++;
    sc_mutex_unlock(&lock);
    sc_cond_signal(&ready, arg);
    return arg;
}

int main(void) {
    struct sc_thread thread;
    void *result = NULL;
    assert(sc_mutex_init(&lock) == 0 && sc_cond_init(&ready) == 0);
    sc_thread_init(&thread);
    assert(sc_thread_start(&thread, worker, &data) == 0);
    sc_mutex_lock(&lock);
    count++;
    sc_mutex_unlock(&lock);
    assert(sc_cond_wait(&ready) == &data);
    assert(sc_thread_join(&thread, &result) == 0 && result == &data);
    assert(count == 2);
    sc_cond_term(&ready);
    sc_mutex_term(&lock);
    return 0;
}
