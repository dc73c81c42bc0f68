// verdict: safe
// Handlers run before the variables are gone.
#include <assert.h>
#include <pthread.h>

static int seen;
static int *volatile published;

static void see(void *at) {
    seen = *(int *)at;
}

static void *owner(void *unused) {
    int own = 7;
    published = &own;
    pthread_cleanup_push(see, &own);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, owner, 0);
    pthread_join(a, 0);
    assert(seen == 7);
    return 0;
}
