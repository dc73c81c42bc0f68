// verdict: bug deadlock
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct ops {
    int (*lock)(pthread_mutex_t *);
    int (*unlock)(pthread_mutex_t *);
    int (*wait)(pthread_cond_t *, pthread_mutex_t *);
    int (*wake)(pthread_cond_t *);
    void *(*alloc)(size_t);
    void (*release)(void *);
    int (*start)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*join)(pthread_t, void **);
};
static const struct ops real = { pthread_mutex_lock, pthread_mutex_unlock, pthread_cond_wait, pthread_cond_signal,
                                 malloc, free, pthread_create, pthread_join };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int n;

static void *work(void *arg) {
    const struct ops *ops = arg;
    ops->lock(&lock);
    n++;
    ops->wake(&ready);
    ops->unlock(&lock);
    return 0;
}

int main(void) {
    const struct ops *ops = &real;
    pthread_t thread;
    int *p = ops->alloc(sizeof *p);
    ops->start(&thread, 0, work, (void *)ops);
    ops->lock(&lock);
    if (n < 2) ops->wait(&ready, &lock);
    *p = n;
    ops->unlock(&lock);
    ops->join(thread, 0);
    assert(*p <= 1);
    ops->release(p);
    return 0;
}
