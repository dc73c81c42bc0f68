// verdict: bug race
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *work(void *arg) {
    if (ftrylockfile(stdout) == 0) funlockfile(stdout);
    flockfile(stdout);
    funlockfile(stdout);
    lines++;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
