// verdict: safe
// The old state and type of cancellation are told, whether or not the program cancels a thread.
#include <assert.h>
#include <pthread.h>
static void *run(void *unused)
{
    int old = 7, kind = 7;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &kind);
    assert(kind == PTHREAD_CANCEL_DEFERRED);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(old, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
}
