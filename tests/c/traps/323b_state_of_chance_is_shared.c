// verdict: bug race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static unsigned short state[3];

static void *work(void *arg) {
    nrand48(state);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    nrand48(state);
    pthread_join(thread, NULL);
    return 0;
}
