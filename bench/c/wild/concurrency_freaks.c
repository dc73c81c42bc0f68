// A ticket lock and a CLH lock, each around a counter.
#include <assert.h>
#include "clh_mutex.h"
#include "ticket_mutex.h"

static ticket_mutex_t ticket;
static clh_mutex_t clh;
static int first, second;

static void *worker(void *arg) {
    (void)arg;
    ticket_mutex_lock(&ticket);
    first++;
    ticket_mutex_unlock(&ticket);
    clh_mutex_lock(&clh);
    second++;
    clh_mutex_unlock(&clh);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    ticket_mutex_init(&ticket);
    clh_mutex_init(&clh);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(first == 2 && second == 2);
    clh_mutex_destroy(&clh);
    ticket_mutex_destroy(&ticket);
    return 0;
}
