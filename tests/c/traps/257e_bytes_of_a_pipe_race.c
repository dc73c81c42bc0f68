// verdict: bug race
#include <pthread.h>
#include <unistd.h>
static int ends[2], got;
static void *take(void *arg) {
  read(ends[0], &got, sizeof got);
  return 0;
}
int main(void) {
  if (pipe(ends)) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  int n = 1;
  write(ends[1], &n, sizeof n);
  return got;
}
