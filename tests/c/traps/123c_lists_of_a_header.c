// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <sys/queue.h>
struct item {
  int n;
  TAILQ_ENTRY(item) link;
  LIST_ENTRY(item) other;
};
TAILQ_HEAD(tail, item);
LIST_HEAD(list, item);

int main(void) {
  struct tail tail = TAILQ_HEAD_INITIALIZER(tail);
  struct list list = LIST_HEAD_INITIALIZER(list);
  struct item *at;
  int sum = 0;
  for (int i = 1; i < 4; i++) {
    at = malloc(sizeof *at);
    at->n = i;
    TAILQ_INSERT_TAIL(&tail, at, link);
    LIST_INSERT_HEAD(&list, at, other);
  }
  TAILQ_FOREACH(at, &tail, link) sum = 10 * sum + at->n;
  assert(sum == 123);
  LIST_FOREACH(at, &list, other) sum = 10 * sum + at->n;
  assert(sum == 123321);
  while ((at = TAILQ_FIRST(&tail))) {
    TAILQ_REMOVE(&tail, at, link);
    LIST_REMOVE(at, other);
    free(at);
  }
  assert(TAILQ_EMPTY(&tail) && LIST_EMPTY(&list));
}
