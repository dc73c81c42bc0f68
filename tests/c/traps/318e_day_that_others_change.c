// verdict: bug race
#include <pthread.h>
#include <time.h>

// `mktime` writes to the day that it is given.
static struct tm day = {.tm_mday = 1, .tm_year = 100};

static void *work(void *arg) {
    mktime(&day);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int hour = day.tm_hour;
    pthread_join(thread, NULL);
    return hour;
}
