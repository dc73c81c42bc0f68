// verdict: bug deref
#include <pthread.h>
#include <stdio.h>
void *f(void *a) { return (void *)3; }
int main(void) {
    pthread_t t;
    int r;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, (void **)&r);
    printf("%d\n", r);
    return 0;
}
