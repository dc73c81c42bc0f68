// verdict: bug race
// options: --races
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";
void *run(void *unused) {
  text[1] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  printf("%s\n", text);
  pthread_join(t, 0);
}
