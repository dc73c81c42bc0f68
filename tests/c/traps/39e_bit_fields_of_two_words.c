// Bit-fields with a member between them are two places.
// verdict: safe
// options: --races
#include <pthread.h>
struct { unsigned a : 3; unsigned b : 2; char between; unsigned c : 3; } s;
void *run(void *arg) { s.a = 1; s.b = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.c = 1;
  pthread_join(t, 0);
}
