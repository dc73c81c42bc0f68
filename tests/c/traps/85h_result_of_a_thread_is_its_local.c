// verdict: bug deref
#include <pthread.h>

static void *owner(void *unused) {
    int own = 1;
    return &own;
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, owner, 0);
    pthread_join(a, &result);
    return *(int *)result;
}
