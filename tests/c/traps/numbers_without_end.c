// verdict: safe
#include <assert.h>
#include <math.h>
#include <pthread.h>

// What is no number, and what is beyond all numbers.
static double most = INFINITY, none = NAN;
static float shared;
static double huge = HUGE_VAL;

static void *work(void *arg) {
    shared = -INFINITY;
    return arg;
}

int main(void) {
    assert(none != none && !(none < 1) && !(none >= 1) && !(none == none));
    assert(most > 1e308 && -most < -1e308 && huge == most);
    assert(isnan(none) && !isnan(most) && isnan(most - most) && isnan(0 * most));
    assert(isinf(most) == 1 && isinf(-most) == -1 && isinf(1e308 * 10) && !isinf(none));
    assert(isfinite(1.5) && !isfinite(most) && !isfinite(none) && isfinite(0.0f));
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(isinf(shared) && isnan(shared + INFINITY) && 1 / shared == 0);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += isnan(sum) ? 0 : most;
    assert(isinf(sum));
    return 0;
}
