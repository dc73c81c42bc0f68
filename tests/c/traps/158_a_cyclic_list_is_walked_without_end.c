// verdict: bug assertion
// Whoever holds the lock never gives it back; a thread that does not want it goes on.
#include <assert.h>
#include <pthread.h>

struct node {
  struct node *next;
  int value;
};
static struct node first = {&first, 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *walks(void *unused) {
  int sum = 0;
  pthread_mutex_lock(&m);
  for (struct node *n = &first; n; n = n->next)
    sum ^= n->value;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *fails(void *unused) {
  x = 1;
  assert(x == 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, walks, 0);
  pthread_create(&b, 0, fails, 0);
  pthread_join(b, 0);
}
