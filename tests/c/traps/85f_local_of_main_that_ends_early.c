// verdict: bug deref
// `main` ends by `pthread_exit`, and the threads go on without its variables.
#include <pthread.h>

static void *add(void *at) {
    *(int *)at += 2;
    return 0;
}

int main(void) {
    int sum = 0;
    pthread_t helper;
    pthread_create(&helper, 0, add, &sum);
    pthread_exit(0);
}
