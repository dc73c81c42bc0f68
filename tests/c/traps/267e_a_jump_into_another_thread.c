// verdict: bug deref
#include <pthread.h>
#include <setjmp.h>
static jmp_buf at;
static volatile int began;
static void *work(void *arg) {
  jmp_buf own;
  if (setjmp(own) == 0) longjmp(at, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  if (setjmp(at) == 0) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
}
