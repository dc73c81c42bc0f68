// The same, in an array of characters: bytes between the members of the structure are copied, too.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <stdint.h>
struct ring { uint8_t *buf; size_t elem, cap, head, tail; pthread_mutex_t m; };
static void init(struct ring *r, size_t elem, size_t cap) { static uint8_t room[32]; r->buf = room; r->elem = elem; r->cap = cap; r->head = r->tail = 0; pthread_mutex_init(&r->m, 0); }
static int push(struct ring *r, const void *e) {
  int ok = 0;
  pthread_mutex_lock(&r->m);
  if (r->head - r->tail < r->cap) { memcpy(r->buf + (r->head % r->cap) * r->elem, e, r->elem); r->head++; ok = 1; }
  pthread_mutex_unlock(&r->m);
  return ok;
}
static int pop(struct ring *r, void *e) {
  int ok = 0;
  pthread_mutex_lock(&r->m);
  if (r->head != r->tail) { memcpy(e, r->buf + (r->tail % r->cap) * r->elem, r->elem); r->tail++; ok = 1; }
  pthread_mutex_unlock(&r->m);
  return ok;
}
struct job { int id; char kind; long arg; };
static struct ring r;
static void *producer(void *a) { struct job j = { 7, 'x', 123456789012L }; while (!push(&r, &j)) ; return 0; }
int main(void) {
  init(&r, sizeof(struct job), 2);
  pthread_t t; pthread_create(&t, 0, producer, 0);
  struct job j;
  pthread_join(t, 0);
  assert(pop(&r, &j));
  assert(j.id == 7 && j.kind == 'x' && j.arg == 123456789012L);
  assert(!pop(&r, &j));
  return 0;
}
