// verdict: bug misuse
// options: --check misuse
// POSIX has no initialiser for semaphores, so one that is zero was not made.
#include <semaphore.h>
static sem_t nobody;
int main(void)
{
    sem_post(&nobody);
}
