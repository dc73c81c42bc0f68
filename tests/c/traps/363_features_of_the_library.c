// Programs ask the headers what the library has.
// verdict: safe
#include <assert.h>
#include <limits.h>
#include <unistd.h>
#if !defined _POSIX_VERSION || _POSIX_VERSION < 200809L || _POSIX_C_SOURCE < 200809L || !defined _DEFAULT_SOURCE
#error no POSIX
#endif
#if _POSIX_THREADS <= 0 || _POSIX_TIMERS <= 0 || _POSIX_SEMAPHORES <= 0 || _POSIX_BARRIERS <= 0 || _POSIX_SPIN_LOCKS <= 0
#error nothing that threads share
#endif
#if _POSIX_READER_WRITER_LOCKS <= 0 || _POSIX_TIMEOUTS <= 0 || _POSIX_THREAD_PROCESS_SHARED <= 0 || !defined _POSIX_MONOTONIC_CLOCK
#error less than there is
#endif
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 17) || _XOPEN_VERSION < 600
#error another library
#endif
int main(void) {
  assert(_POSIX_PATH_MAX == 256 && _POSIX_THREAD_KEYS_MAX == 128 && PTHREAD_KEYS_MAX >= _POSIX_THREAD_KEYS_MAX);
  assert(_POSIX_THREAD_SPORADIC_SERVER == -1);
  return 0;
}
