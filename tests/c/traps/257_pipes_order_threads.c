// A pipe gives the bytes that were written, in their order, and orders what threads do before and after.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
struct message { int number; char letter; int *data; };
static int ends[2], data;
static void *consume(void *arg) {
  struct message m;
  int last = 0;
  while (read(ends[0], &m, sizeof m) == sizeof m) {
    assert(m.number == last + 1 && m.letter == 'x' && *m.data == 42);
    last = m.number;
  }
  assert(last == 2);
  return 0;
}
int main(void) {
  if (pipe(ends)) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, consume, 0);
  data = 42;
  for (int i = 1; i <= 2; i++) {
    struct message m = {i, 'x', &data};
    assert(write(ends[1], &m, sizeof m) == sizeof m);
  }
  close(ends[1]);
  pthread_join(thread, 0);
  return close(ends[0]);
}
