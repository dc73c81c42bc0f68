// Two threads put different keys into one bucket of a lock-free map; both are found.
#include "hashmap.h"
#include <assert.h>
#include <pthread.h>

static hashmap_t *map;
static int keys[2] = {1, 2}, values[2] = {10, 20};

static uint8_t compare(const void *x, const void *y) { return *(const int *)x != *(const int *)y; }
static uint64_t hash(const void *key) { return *(const int *)key; }

static void *writer(void *arg) {
    int i = *(int *)arg - 1;
    assert(!hashmap_put(map, &keys[i], &values[i]));
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    map = hashmap_new(1, compare, hash);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, &keys[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        assert(hashmap_get(map, &keys[i]) == &values[i]);
    return 0;
}
