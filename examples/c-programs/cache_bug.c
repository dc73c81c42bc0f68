// A cache with many readers and few writers. A reader that misses fills the entry under the lock that it has for reading: another
// one may read the entry half filled.
//
// run: explore
// expect: bug assertion
// run: explore --races --property no-data-race
// expect: bug race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define ENTRIES 2

struct entry {
  bool filled;
  int key;
  int value;
};

struct cache {
  pthread_rwlock_t lock;
  struct entry entries[ENTRIES];
  int fills;
};

static struct cache cache = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static int compute(int key) { return key * key + 1; }

/* The entry of a key, if it is there. */
static struct entry *find(struct cache *c, int key) {
  struct entry *e = &c->entries[key % ENTRIES];
  return e->filled && e->key == key ? e : NULL;
}

static int fill(struct cache *c, int key) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = find(c, key);
  if (!e) {
    e = &c->entries[key % ENTRIES];
    e->filled = true;
    e->key = key;
    e->value = compute(key);
    c->fills++;
  }
  int value = e->value;
  pthread_rwlock_unlock(&c->lock);
  return value;
}

static int get(struct cache *c, int key) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = find(c, key);
  int value = e ? e->value : 0;
  pthread_rwlock_unlock(&c->lock);
  return e ? value : fill(c, key);
}

static void *client(void *arg) {
  int key = *(int *)arg;
  int value = get(&cache, key);
  assert(value == compute(key));
  return NULL;
}

int main(void) {
  pthread_t clients[2];
  int keys[2] = {3, 3};
  for (int i = 0; i < 2; i++)
    pthread_create(&clients[i], NULL, client, &keys[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(clients[i], NULL);
  assert(cache.fills == 1);
  return 0;
}
