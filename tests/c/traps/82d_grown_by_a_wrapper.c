// A function that calls `realloc` makes objects of the types that its callers know, as one that calls `malloc` does.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *resized(void *old, size_t n) {
  if (n == 0) {
    free(old);
    return 0;
  }
  void *new = realloc(old, n);
  if (!new) abort();
  return new;
}
static void *grown(void *old, size_t count, size_t each) { return resized(old, count * each); }

struct item { int key; char name[4]; };
static struct item *items;
static size_t used, room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void add(int key) {
  if (used == room) {
    room = room ? room * 2 : 1;
    items = grown(items, room, sizeof *items);
  }
  struct item *it = &items[used++];
  it->key = key;
  memcpy(it->name, "abc", 4);
}

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  add(2);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  add(1);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  add(3);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  assert(used == 3 && items[0].key == 1 && items[2].name[1] == 'b' && items[1].key + items[2].key == 5);
  char *text = resized(0, 3);
  strcpy(text, "ab");
  text = resized(text, 5);
  strcat(text, "cd");
  assert(!strcmp(text, "abcd"));
  resized(text, 0);
  resized(items, 0);
  return 0;
}
