// Where races are not looked for, a plain access is a relaxed one.
// verdict: bug assertion
// options: --memory c11 --no-races
#include <assert.h>
#include <pthread.h>
static int x, y;
static int a, b;
static void *left(void *unused) {
  x = 1;
  a = y;
  return 0;
}
static void *right(void *unused) {
  y = 1;
  b = x;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0);
  pthread_create(&t, 0, right, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
