// verdict: bug stuck
#include <pthread.h>
int main(void) {
  pthread_t t = 0;
  pthread_join(t, 0);
}
