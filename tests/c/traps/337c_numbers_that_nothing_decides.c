// verdict: safe
#include <stdio.h>
#include <sys/time.h>
static double now(void) {
  struct timeval t;
  gettimeofday(&t, 0);
  return t.tv_sec + t.tv_usec / 1e6;
}
int main(void) {
  double begin = now();
  printf("%f\n", now() - begin);
}
