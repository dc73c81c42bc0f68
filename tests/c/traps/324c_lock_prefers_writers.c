// verdict: inconclusive
#define _GNU_SOURCE
#include <pthread.h>

// Who reads twice may wait for a writer in between.
int main(void) {
    pthread_rwlockattr_t how;
    pthread_rwlock_t lock;
    pthread_rwlockattr_init(&how);
    pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &how);
    return 0;
}
