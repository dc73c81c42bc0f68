// verdict: bug deadlock
#include <pthread.h>

static pthread_mutex_t mutex;

static void *apply(void *how) {
    int (*step)(pthread_mutex_t *) = how;
    step(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, apply, pthread_mutex_lock);
    pthread_join(thread, 0);
    apply(pthread_mutex_lock);
    return 0;
}
