// Bit-fields share bytes with each other, and the array at the end has as many elements as were allocated.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  uint8_t low : 4, high : 4;
  int room;
  int items[];
};

struct text {
  unsigned used : 3, open : 1;
  char bytes[];
};

static struct queue *made(int room) {
  struct queue *q = calloc(1, sizeof *q + room * sizeof q->items[0]);
  q->low = q->high = 0;
  q->room = room;
  pthread_mutex_init(&q->lock, 0);
  return q;
}

static void *put(void *of) {
  struct queue *q = of;
  pthread_mutex_lock(&q->lock);
  q->items[q->high++] = 7;
  pthread_mutex_unlock(&q->lock);
  return 0;
}

int main(void) {
  struct queue *q = made(3);
  pthread_t other;
  pthread_create(&other, 0, put, q);
  put(q);
  pthread_join(other, 0);
  assert(q->high == 2 && q->low == 0 && q->room == 3);
  assert(q->items[q->low] == 7 && q->items[--q->high] == 7);
  q->items[2] = 5;
  int *last = &q->items[2];
  assert(*last == 5 && q->high == 1);
  struct text *t = calloc(1, sizeof *t + 4);
  t->used = 2;
  t->open = 1;
  t->bytes[0] = 'a';
  t->bytes[t->used] = 'b';
  assert(t->used == 2 && t->open && t->bytes[2] == 'b' && t->bytes[0] == 'a');
  free(t);
  free(q);
}
