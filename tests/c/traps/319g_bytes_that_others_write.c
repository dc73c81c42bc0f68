// verdict: bug race
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

// `pread` writes to an array that another thread reads.
static char bytes[2];

static void *work(void *arg) {
    pread(0, bytes, sizeof bytes, 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    char first = bytes[0];
    pthread_join(thread, NULL);
    return first;
}
