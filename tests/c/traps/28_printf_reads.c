// What is only printed, or returned, is read.
// verdict: bug race
// options: --races
#include <pthread.h>
#include <stdio.h>
int x;
void *reader(void *arg) { printf("%d\n", x); return 0; }
void *writer(void *arg) { x = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  return 0;
}
