// The text has no end for a moment.
// verdict: bug deref
#include <pthread.h>
#include <stdio.h>
char text[2] = "a";
void *run(void *unused) {
  text[1] = 'b';
  text[1] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  puts(text);
  pthread_join(t, 0);
}
