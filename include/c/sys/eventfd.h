/* Linux sys/eventfd.h */
#ifndef _SYS_EVENTFD_H
#define _SYS_EVENTFD_H
#include <stdint.h>
#include <__counters.h>
typedef uint64_t eventfd_t;
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK 04000
#define EFD_CLOEXEC 02000000
static inline int eventfd(unsigned int __first, int __how) { return __make_counter(__first, __how, 0); }
static inline int eventfd_read(int __file, eventfd_t *__to) {
  if (__is_no_file(__file)) return -1;
  long __all = __counter_read(__file, __to, 8);
  return __all == 8 ? 0 : __all == __NO_PIPE ? __fails() : -1;
}
static inline int eventfd_write(int __file, eventfd_t __more) {
  if (__is_no_file(__file)) return -1;
  long __all = __counter_write(__file, &__more, 8);
  return __all == 8 ? 0 : __all == __NO_PIPE ? __fails() : -1;
}
#endif
