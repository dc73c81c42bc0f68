// Threads that put what they find into one table without a lock, after the indexer of the DPOR paper: a place is taken by
// an exchange, and a thread that finds it taken goes on to the next.
//
// run: explore
// expect: safe
// run: explore --strategy dpor
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define THREADS 2

static atomic_int table[SIZE];

static int put(int value) {
  int at = value * 7 % SIZE;
  for (int tries = 0; tries < SIZE; tries++) {
    int free = 0;
    if (atomic_compare_exchange_strong(&table[at], &free, value))
      return at;
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
