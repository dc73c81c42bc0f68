// verdict: safe
// The end of `main` is the end of the program: nobody comes later.
#include <pthread.h>

static void *add(void *at) {
    *(int *)at += 2;
    return 0;
}

int main(void) {
    int sum = 0;
    pthread_t helper;
    pthread_create(&helper, 0, add, &sum);
    return 0;
}
