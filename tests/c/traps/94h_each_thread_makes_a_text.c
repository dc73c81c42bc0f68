// Each thread writes into its own array: that makes no schedules.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static void *work(void *arg) {
  char text[8], copy[8];
  int number = arg ? 7 : -7;
  snprintf(text, sizeof text, "n=%d", number);
  snprintf(copy, sizeof copy, "<%s>", text);
  assert(!strcmp(copy, arg ? "<n=7>" : "<n=-7>"));
  return 0;
}
int main(void) {
  static int one;
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &one);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
