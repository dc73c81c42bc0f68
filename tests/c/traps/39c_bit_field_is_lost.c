// To write a bit-field is to read those beside it, and to write them back.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
struct { unsigned a : 1; unsigned b : 1; } s;
void *run(void *arg) { s.a = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.b = 1;
  pthread_join(t, 0);
  assert(s.a && s.b);
}
