// A hash table under a lock: two threads add a key each, both keys are found.
#include "uthash.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    int key, value;
    UT_hash_handle hh;
};

static struct item *table;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    struct item *item = malloc(sizeof *item);
    item->key = *(int *)arg;
    item->value = 10 * item->key;
    pthread_rwlock_wrlock(&lock);
    HASH_ADD_INT(table, key, item);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int keys[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, &keys[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        struct item *found;
        HASH_FIND_INT(table, &keys[i], found);
        assert(found && found->value == 10 * keys[i]);
    }
    return 0;
}
