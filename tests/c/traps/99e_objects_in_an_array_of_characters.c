// An allocator that keeps its blocks, and what it knows of them, in an array of characters.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
struct hdr { size_t size; struct hdr *next; int free; };
static char heap[256];
static struct hdr *first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *my_alloc(size_t n) {
  pthread_mutex_lock(&m);
  if (!first) { first = (struct hdr *)heap; first->size = sizeof heap - sizeof *first; first->next = 0; first->free = 1; }
  struct hdr *h = first;
  while (h && !(h->free && h->size >= n)) h = h->next;
  void *p = 0;
  if (h) {
    if (h->size > n + sizeof *h) {
      struct hdr *r = (struct hdr *)((char *)(h + 1) + n);
      r->size = h->size - n - sizeof *h; r->next = h->next; r->free = 1;
      h->size = n; h->next = r;
    }
    h->free = 0;
    p = h + 1;
  }
  pthread_mutex_unlock(&m);
  return p;
}
static void my_free(void *p) { pthread_mutex_lock(&m); ((struct hdr *)p - 1)->free = 1; pthread_mutex_unlock(&m); }
static void *w(void *a) { int *p = my_alloc(16); p[0] = 7; assert(p[0] == 7); my_free(p); return 0; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
