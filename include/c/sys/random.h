/* Linux sys/random.h */
#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H
#include <unistd.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
static inline int getentropy(void *__to, size_t __size) {
  char *__bytes = __to;
  if (__size > 256) return __fails_by(5);
  if (__fails_or_is_done()) return -1;
  __any_chars(__bytes, __size);
  return 0;
}
static inline ssize_t getrandom(void *__to, size_t __size, unsigned int __flags) { return read(0, __to, __size); }
#endif
