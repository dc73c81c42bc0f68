// A reader of an RCU-protected pointer; the writer frees the old object after a grace period.
#define URCU_INLINE_SMALL_FUNCTIONS
#include <urcu/urcu-mb.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *arg) {
    (void)arg;
    urcu_mb_register_thread();
    urcu_mb_read_lock();
    int *seen = rcu_dereference(shared);
    assert(*seen == 1 || *seen == 2);
    urcu_mb_read_unlock();
    urcu_mb_unregister_thread();
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *old = malloc(sizeof(int)), *new = malloc(sizeof(int));
    *old = 1;
    *new = 2;
    shared = old;
    pthread_create(&thread, NULL, reader, NULL);
    rcu_assign_pointer(shared, new);
    urcu_mb_synchronize_rcu();
    free(old);
    pthread_join(thread, NULL);
    return 0;
}
