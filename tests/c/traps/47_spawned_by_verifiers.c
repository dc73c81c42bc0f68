// verdict: safe
// The argument of a thread leads where it points, whoever makes the thread.
#include <assert.h>
#include <pthread.h>
pthread_t __VERIFIER_spawn(void *(*start)(void *), void *arg);
pthread_t __VERIFIER_spawn_symmetric(void *(*start)(void *), void *arg, pthread_t like);

void *thread(void *arg) {
  int own = *(int *)arg, *mine = &own;
  *mine += 1;
  *(int *)arg = own;
  return 0;
}

int main(void) {
  int a = 1, b = 2;
  pthread_t t = __VERIFIER_spawn(thread, &a);
  pthread_t u = __VERIFIER_spawn_symmetric(thread, &b, t);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 2 && b == 3);
}
