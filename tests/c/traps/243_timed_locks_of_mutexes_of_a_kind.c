// verdict: safe
// The mutexes of the library do not race, whichever way they are locked.
#include <pthread.h>
static pthread_mutex_t recursive, checking;
static int count;
static void *run(void *unused)
{
    struct timespec when = { 1, 0 };
    if (pthread_mutex_timedlock(&recursive, &when))
        return 0;
    if (!pthread_mutex_clocklock(&checking, CLOCK_REALTIME, &when)) {
        count++;
        pthread_mutex_unlock(&checking);
    }
    pthread_mutex_unlock(&recursive);
    return 0;
}
static void begin(pthread_mutex_t *mutex, int kind)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(mutex, &attributes);
}
int main(void)
{
    begin(&recursive, PTHREAD_MUTEX_RECURSIVE);
    begin(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
