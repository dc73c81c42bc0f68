// verdict: bug race
#include <pthread.h>
#include <stdio.h>
struct pair { int n, m; } pair;
static void *set(void *arg) { pair.m = 5; return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  fwrite(&pair, sizeof pair, 1, stdout);
  pthread_join(thread, 0);
  return 0;
}
