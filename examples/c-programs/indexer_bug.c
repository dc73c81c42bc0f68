// The table of indexer.c with a look and a write where an exchange belongs: two threads take one place.
//
// run: explore
// expect: bug assertion
// run: explore --strategy dpor
// expect: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define THREADS 2

static atomic_int table[SIZE];

static int put(int value) {
  int at = value * 7 % SIZE;
  for (int tries = 0; tries < SIZE; tries++) {
    // BUG: another thread may take the place between the two.
    if (table[at] == 0) {
      table[at] = value;
      return at;
    }
    at = (at + 1) % SIZE;
  }
  return -1;
}

static void *index_all(void *arg) {
  int first = (int)(long)arg;
  assert(put(first) >= 0);
  assert(put(first + 4) >= 0);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, index_all, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < SIZE; i++)
    assert(table[i] != 0);
  return 0;
}
