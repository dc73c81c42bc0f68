// verdict: bug deref
// The second thread may come when the first has ended, and its variable with it.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) shared;

void *owner(void *unused) {
    int own = 0;
    atomic_store(&shared, &own);
    return 0;
}

void *user(void *unused) {
    int *p = atomic_load(&shared);
    if (p)
        *p = 42;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
