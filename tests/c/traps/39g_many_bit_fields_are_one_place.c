// Bit-fields beside each other are one place in memory, however many they are: to write one is to write all of them.
// verdict: bug race
// options: --races
#include <pthread.h>

struct {
    unsigned a : 30, b : 30, c : 30, d : 30;
} shared;

static void *first(void *arg) {
    shared.a = 5;
    return arg;
}

static void *last(void *arg) {
    return shared.d ? arg : &shared;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, last, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
