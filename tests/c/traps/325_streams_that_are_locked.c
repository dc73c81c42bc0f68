// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

// A thread may lock a stream again. Until it has unlocked it as often, no other one does.
static int lines;

static void *work(void *arg) {
    flockfile(stdout);
    flockfile(stdout);
    lines++;
    funlockfile(stdout);
    putchar_unlocked('x');
    lines++;
    funlockfile(stdout);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(lines == 4);
    return 0;
}
