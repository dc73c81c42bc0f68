// verdict: safe
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static time_t now(time_t *to) { return time(to); }
static int disable(int *old) { return pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, old); }

int main(void) {
    time_t at;
    int old;
    now(NULL);
    now(&at);
    disable(NULL);
    disable(&old);
    return old == PTHREAD_CANCEL_ENABLE ? 1 : at > 0;
}
