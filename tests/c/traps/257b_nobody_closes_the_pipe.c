// verdict: bug deadlock
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *consume(void *arg) {
  char c;
  while (read(ends[0], &c, 1) == 1) {}
  return 0;
}
int main(void) {
  if (pipe(ends)) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, consume, 0);
  write(ends[1], "ab", 2);
  pthread_join(thread, 0);
  return 0;
}
