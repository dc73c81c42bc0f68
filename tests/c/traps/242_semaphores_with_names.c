// verdict: safe
// A name leads to one semaphore until it is taken away.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
static int shared;
static sem_t *gate;
static void *run(void *arg) {
    sem_t *own = sem_open("/gate", 0);
    assert(own == gate);
    sem_wait(own);
    shared++;
    sem_post(own);
    sem_close(own);
    return 0;
}
int main(void) {
    sem_unlink("/gate");
    gate = sem_open("/gate", O_CREAT | O_EXCL, 0644, 1);
    assert(gate != SEM_FAILED);
    assert(sem_open("/gate", O_CREAT | O_EXCL, 0644, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_open("/other", 0) == SEM_FAILED && errno == ENOENT);
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(shared == 2);
    sem_close(gate);
    assert(!sem_unlink("/gate"));
    assert(sem_unlink("/gate") == -1);
    gate = sem_open("/gate", O_CREAT, 0644, 3);
    int value;
    sem_getvalue(gate, &value);
    assert(value == 3);
    sem_unlink("/gate");
}
