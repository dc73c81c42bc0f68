// verdict: bug assertion
// The execution is dropped where the assumption fails, and not before: others can see what was done until then.
#include <assert.h>
#include <pthread.h>
int x;
void *thread(void *arg) { assert(x == 0); return 0; }
int main(void) {
  pthread_t t;
  int choice;
  pthread_create(&t, 0, thread, 0);
  if (choice) {
    x = 1;
    __VERIFIER_assume(0);
  }
  pthread_join(t, 0);
}
