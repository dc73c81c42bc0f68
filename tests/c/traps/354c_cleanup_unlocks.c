// A `return` leaves the scope of the guard, a loop without one does not: the lock is taken twice.
// verdict: bug deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void unlock(pthread_mutex_t **p) { if (*p) pthread_mutex_unlock(*p); }

static int twice(int early) {
    pthread_mutex_lock(&lock);
    __attribute__((cleanup(unlock))) pthread_mutex_t *guard = &lock;
    if (early) return 1;
    guard = 0;
    return 0;
}

int main(void) {
    twice(1);
    twice(1);
    twice(0);
    twice(1);
    return 0;
}
