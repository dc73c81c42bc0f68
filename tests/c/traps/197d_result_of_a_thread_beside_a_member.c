// verdict: inconclusive
#include <pthread.h>
struct s { const char *str; int ret; } x[2];
void *f(void *a) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, (void **)&x[0].ret);
    return x[0].ret;
}
