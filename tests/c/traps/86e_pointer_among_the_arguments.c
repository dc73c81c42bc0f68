// verdict: bug assertion
// What pointers lead to is known behind `...`, too, also through a pointer to the function.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int total;

static void add_to(int count, ...) {
  va_list all;
  va_start(all, count);
  for (int i = 0; i < count; i++) {
    int *to = va_arg(all, int *);
    *to = *to + 1;
  }
  va_end(all);
}

static void (*add)(int, ...) = add_to;

static void *worker(void *unused) {
  int own = 0;
  add(2, &own, &total);
  assert(own == 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 2);
  return 0;
}
