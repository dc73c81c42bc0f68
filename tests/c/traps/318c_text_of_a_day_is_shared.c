// verdict: bug race
#include <pthread.h>
#include <stdio.h>
#include <time.h>

// All texts of `asctime` and `ctime` are in one place.
static void *work(void *arg) {
    struct tm day = {.tm_mday = 2, .tm_year = 99};
    puts(asctime(&day));
    return arg;
}

int main(void) {
    pthread_t thread;
    time_t now = time(NULL);
    pthread_create(&thread, NULL, work, NULL);
    puts(ctime(&now));
    pthread_join(thread, NULL);
    return 0;
}
