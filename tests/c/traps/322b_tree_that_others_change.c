// verdict: bug race
#include <pthread.h>
#include <search.h>

static void *tree;
static int one = 1, two = 2;
static int compare(const void *l, const void *r) { return *(const int *)l - *(const int *)r; }

static void *work(void *arg) {
    tsearch(&one, &tree, compare);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    void *found = tfind(&two, &tree, compare);
    pthread_join(thread, NULL);
    return found != NULL;
}
