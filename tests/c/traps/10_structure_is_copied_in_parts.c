// A structure is copied member by member.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
struct pair { int a, b; } shared, copy;
void *change(void *arg) { shared.a = 1; shared.b = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, 0);
  copy = shared;
  assert(copy.a == copy.b);
  pthread_join(t, 0);
}
