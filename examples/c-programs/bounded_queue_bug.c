// The queue of bounded_queue.c with an `if` where a `while` belongs: a thread that wakes without a signal goes on.
//
// run: explore
// expect: bug assertion
// run: explore --strategy dpor
// expect: bug assertion
#include <assert.h>
#include <pthread.h>

#define CAPACITY 1
#define ITEMS 2

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  int items[CAPACITY];
  int count, first;
};

static void put(struct queue *q, int item) {
  pthread_mutex_lock(&q->lock);
  while (q->count == CAPACITY)
    pthread_cond_wait(&q->not_full, &q->lock);
  q->items[(q->first + q->count) % CAPACITY] = item;
  q->count++;
  pthread_cond_signal(&q->not_empty);
  pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  // BUG: who wakes up has to look again.
  if (q->count == 0)
    pthread_cond_wait(&q->not_empty, &q->lock);
  int item = q->items[q->first];
  q->first = (q->first + 1) % CAPACITY;
  q->count--;
  pthread_cond_signal(&q->not_full);
  pthread_mutex_unlock(&q->lock);
  return item;
}

static void *produce(void *arg) {
  for (int i = 1; i <= ITEMS; i++)
    put(arg, i);
  return NULL;
}

int main(void) {
  struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t producer;
  pthread_create(&producer, NULL, produce, &queue);
  for (int i = 1; i <= ITEMS; i++)
    assert(get(&queue) == i);
  pthread_join(producer, NULL);
  return 0;
}
