// Two threads put a key each; both are found afterwards.
#include <sys/cdefs.h>
#include <stdint.h>
#include <stddef.h>
#include "thmap.h"
#include <assert.h>
#include <pthread.h>

static thmap_t *map;
static uint64_t keys[2] = {1, 2};
static int values[2] = {10, 20};

static void *writer(void *arg) {
    int i = *(int *)arg;
    assert(thmap_put(map, &keys[i], sizeof keys[i], &values[i]) == &values[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int ids[2] = {0, 1};
    map = thmap_create(0, NULL, THMAP_NOCOPY);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        assert(thmap_get(map, &keys[i], sizeof keys[i]) == &values[i]);
    return 0;
}
