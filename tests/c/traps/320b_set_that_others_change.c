// verdict: bug race
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void *work(void *arg) {
    sigaddset(&set, SIGINT);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    pthread_create(&thread, NULL, work, NULL);
    int is = sigismember(&set, SIGINT);
    pthread_join(thread, NULL);
    return is;
}
