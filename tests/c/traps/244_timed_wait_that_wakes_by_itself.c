// verdict: bug assertion
// A wait with a time that wakes without a signal gives 0.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int main(void)
{
    struct timespec when = { 1, 0 };
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&never, &mutex, &when);
    pthread_mutex_unlock(&mutex);
    assert(result == ETIMEDOUT);
}
