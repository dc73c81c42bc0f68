// verdict: bug race
#include <pthread.h>
#include <search.h>

// There is one table for all threads.
static void *work(void *arg) {
    ENTRY one = {"one", NULL};
    hsearch(one, ENTER);
    return arg;
}

int main(void) {
    pthread_t thread;
    hcreate(8);
    pthread_create(&thread, NULL, work, NULL);
    ENTRY two = {"two", NULL};
    hsearch(two, ENTER);
    pthread_join(thread, NULL);
    return 0;
}
