// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char name[32];

static void *work(void *arg) {
    snprintf(name, sizeof name, "%lu", pthread_self());
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(strtoul(name, NULL, 10) == (unsigned long)thread);
    return 0;
}
