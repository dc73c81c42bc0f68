#include <pthread.h>

int main(void)
{
    pthread_t t = (pthread_t)10;
    pthread_join(t, 0);
    return 0;
}
