// verdict: safe
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

// What clocks and timers say fits. A timer that is wrong is refused.
int main(void) {
    struct timespec tick;
    assert(!clock_getres(CLOCK_MONOTONIC, &tick) && tick.tv_sec == 0 && tick.tv_nsec < 1000000000);
    assert(!clock_getres(CLOCK_REALTIME, NULL));
    struct tms used;
    assert(times(&used) >= 0 && used.tms_utime >= 0);
    struct itimerval soon = {{0, 0}, {1, 0}}, before;
    assert(!setitimer(ITIMER_VIRTUAL, &soon, &before) && before.it_value.tv_usec < 1000000);
    assert(!getitimer(ITIMER_PROF, &before));
    soon.it_value.tv_usec = 1000000;
    errno = 0;
    assert(setitimer(ITIMER_REAL, &soon, NULL) == -1 && errno == EINVAL);
    return 0;
}
