// verdict: bug deref
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *list;
static size_t count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void add(int value) {
  pthread_mutex_lock(&m);
  int *longer = realloc(list, (count + 1) * sizeof *list);
  if (longer) {
    list = longer;
    list[count++] = value;
  }
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  add(2);
  return arg;
}

int main(void) {
  pthread_t t;
  add(1);
  int *first = &list[0];
  pthread_create(&t, NULL, worker, NULL);
  add(3);
  pthread_join(t, NULL);
  assert(*first == 1);
  free(list);
  return 0;
}
