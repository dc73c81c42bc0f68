// Two functions of threads call each other, by name and through a pointer. The innermost call sees the locals of the outer ones.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
struct link { int depth; struct link *outer; };
static void *odd(void *p);
static void *even(void *p) {
  struct link own = { ((struct link *)p)->depth - 1, p };
  void *(*next)(void *) = odd;
  if (own.depth > 0) return next(&own);
  assert(own.outer->depth + own.outer->outer->depth != 3);
  return 0;
}
static void *odd(void *p) {
  struct link own = { ((struct link *)p)->depth - 1, p };
  if (own.depth > 0) even(&own);
  return 0;
}
int main(void) {
  struct link first = { 3, 0 }, second = { 2, 0 };
  pthread_t t, u;
  pthread_create(&t, 0, even, &first);
  pthread_create(&u, 0, odd, &second);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
