// verdict: bug deref
// The same without the `join`.
#include <pthread.h>

static void *add(void *at) {
    *(int *)at += 2;
    return 0;
}

static pthread_t helper;

static void by_a_thread(int start) {
    int sum = start;
    pthread_create(&helper, 0, add, &sum);
}

int main(void) {
    by_a_thread(1);
    pthread_join(helper, 0);
    return 0;
}
