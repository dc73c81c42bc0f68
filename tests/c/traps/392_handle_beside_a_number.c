// verdict: refused
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  pthread_t tid;
  if ((tid = syscall(SYS_gettid)) == -1) return 1;
}
