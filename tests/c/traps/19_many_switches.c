// A bug that needs many switches is found by exploring, whatever delays verification allows.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
int i = 1, j = 1;
void *left(void *arg) { for (int k = 0; k < 3; k++) i += j; return 0; }
void *right(void *arg) { for (int k = 0; k < 3; k++) j += i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  assert(i < 21 && j < 21);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i < 21 && j < 21);
}
