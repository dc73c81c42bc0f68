// Members of a union that have bytes in common race.
// verdict: bug race
// options: --races
#include <pthread.h>
union { unsigned all; unsigned char bytes[4]; } word;
void *run(void *arg) { word.bytes[2] = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  word.all = 7;
  pthread_join(t, 0);
}
