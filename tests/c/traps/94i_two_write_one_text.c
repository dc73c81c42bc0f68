// Two threads write texts into one array, so that a mixture of both can be read.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static char text[4];
static void *work(void *arg) {
  sprintf(text, "%d", 11);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  sprintf(text, "%s", "22");
  pthread_join(a, 0);
  assert(!strcmp(text, "11") || !strcmp(text, "22"));
  return 0;
}
