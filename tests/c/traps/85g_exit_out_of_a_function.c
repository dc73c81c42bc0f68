// verdict: bug deref
// The thread ends in a function that it calls: the variables of both are gone.
#include <pthread.h>
#include <stddef.h>

static int *volatile shared;

static void leave(int *own) {
    shared = own;
    pthread_exit(NULL);
}

static void *owner(void *unused) {
    int own = 1;
    leave(&own);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, owner, NULL);
    pthread_join(a, NULL);
    return *shared;
}
