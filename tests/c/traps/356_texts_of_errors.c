// The texts of errors and signals are those of glibc.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[40], small[8];
  assert(!strcmp(strerror(0), "Success") && !strcmp(strerror(EINVAL), "Invalid argument"));
  assert(!strcmp(strerror(ENOTRECOVERABLE), "State not recoverable"));
  assert(!strcmp(strerror(999), "Unknown error 999") && !strcmp(strerror(-1), "Unknown error -1"));
  assert(!strcmp(strerror(41), "Unknown error 41") && !strcmp(strerror(134), "Unknown error 134"));
  assert(!strcmp(strsignal(SIGSEGV), "Segmentation fault") && !strcmp(strsignal(SIGSYS), "Bad system call"));
  assert(!strcmp(strsignal(36), "Real-time signal 2") && !strcmp(strsignal(0), "Unknown signal 0"));
  assert(!strcmp(gai_strerror(EAI_AGAIN), "Temporary failure in name resolution"));
  assert(!strcmp(gai_strerror(EAI_SYSTEM), "System error") && !strcmp(gai_strerror(5), "Unknown error"));
  assert(!strcmp(hstrerror(HOST_NOT_FOUND), "Unknown host"));
  errno = EINVAL;
  int n = snprintf(b, sizeof b, "%m");
  assert(n == 16 && !strcmp(b, "Invalid argument"));
  snprintf(b, sizeof b, "%s: %.5s", "x", strerror(EDOM));
  assert(!strcmp(b, "x: Numer"));
  assert(!strcmp(strerror_r(EIO, small, sizeof small), "Input/output error"));
  assert(!strcmp(strerror_r(999, small, sizeof small), "Unknown"));
  return 0;
}
