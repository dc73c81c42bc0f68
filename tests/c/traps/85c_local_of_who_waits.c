// verdict: safe
// Each thread's variable is there as long as another uses it: it waits for that one.
#include <assert.h>
#include <pthread.h>

static void *add(void *at) {
    *(int *)at += 2;
    return 0;
}

static int sum_by_a_thread(int start) {
    int sum = start;
    pthread_t helper;
    pthread_create(&helper, 0, add, &sum);
    pthread_join(helper, 0);
    return sum;
}

static void *worker(void *unused) {
    assert(sum_by_a_thread(1) == 3);
    assert(sum_by_a_thread(2) == 4);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
