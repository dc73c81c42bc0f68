// `*(void **)&p = made` gives `p` an object of p's type, also where pointers lead into objects of several types.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
struct user { unsigned long epoch; LIST_ENTRY(user) entry; };
struct all { unsigned long epoch; LIST_HEAD(, user) list; };
int main(void) {
  struct all *all;
  struct user *one;
  if (posix_memalign((void **)&all, 64, sizeof *all) != 0) return 1;
  memset(all, 0, sizeof *all);
  if (posix_memalign((void **)&one, 64, sizeof *one) != 0) return 1;
  memset(one, 0, sizeof *one);
  one->epoch = 3;
  LIST_INSERT_HEAD(&all->list, one, entry);
  assert(LIST_FIRST(&all->list)->epoch == 3);
  LIST_REMOVE(one, entry);
  assert(LIST_EMPTY(&all->list));
  free(one);
  free(all);
  return 0;
}
