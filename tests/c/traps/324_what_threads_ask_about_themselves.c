// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

static void *work(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    void *result = NULL;
    assert(pthread_timedjoin_np(pthread_self(), &result, &until) == EDEADLK);
    int late = pthread_timedjoin_np(thread, &result, &until);
    assert(!late || late == ETIMEDOUT);
    if (late) pthread_join(thread, &result);
    assert(result == &thread);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    assert(CPU_ISSET(3, &set) && !CPU_ISSET(2, &set) && CPU_COUNT(&set) == 1);
    CPU_CLR(3, &set);
    assert(!CPU_COUNT(&set) && sched_getcpu() >= -1);
    pthread_getaffinity_np(pthread_self(), sizeof set, &set);
    pthread_attr_t attributes;
    int value;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(!pthread_attr_getscope(&attributes, &value) && value == PTHREAD_SCOPE_SYSTEM);
    struct sched_param param;
    if (!pthread_getschedparam(pthread_self(), &value, &param)) assert(value >= 0 && param.sched_priority >= 0);
    pthread_mutexattr_t mutex;
    pthread_mutexattr_init(&mutex);
    assert(!pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_NONE) && pthread_mutexattr_setprotocol(&mutex, 7) == EINVAL);
    assert(!pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_STALLED));
    pthread_rwlockattr_t lock;
    pthread_rwlockattr_init(&lock);
    assert(!pthread_rwlockattr_setkind_np(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NP));
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    setrlimit(RLIMIT_NOFILE, &limit);
    return 0;
}
