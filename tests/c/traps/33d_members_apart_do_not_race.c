// Parts of a union that have no byte in common do not race.
// verdict: safe
// options: --races
#include <pthread.h>
union { unsigned long all; struct { unsigned low, high; } half; unsigned char bytes[8]; } word;
void *run(void *arg) { word.half.high = 1; return 0; }
int main(void) {
  word.all = 0;
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  word.bytes[3] = 7;
  pthread_join(t, 0);
  return word.all == 0;
}
