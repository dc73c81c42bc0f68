/* POSIX semaphore.h */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H
#include <features.h>
#include <pthread_types.h>
#include <sys/types.h>
#include <time.h>
typedef __PTHREAD_OBJECT(4, 4) sem_t;
#define SEM_VALUE_MAX 2147483647
#define SEM_FAILED ((sem_t *)0)
int sem_init(sem_t *, int, unsigned int);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int sem_timedwait(sem_t *, const struct timespec *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);
/* Semaphores with names: those that this program has made. One whose name is gone serves those that have it; one that nobody has
   open keeps its value. */
struct __named_semaphore { char __name[32]; sem_t __own; int __openings, __kept; };
struct __named_semaphore __named_semaphores[8];
int __semaphores_made;
pthread_mutex_t __semaphores_held;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __library_failed(int);
void __library_not_modelled(const char *);
/* A name without the slashes before it; null if nothing else is in it, or another slash. */
static inline const char *__semaphore_name(const char *__name) {
  while (*__name == '/') __name++;
  int __end = 0;
  while (__name[__end] && __name[__end] != '/') __end++;
  return __end && !__name[__end] ? __name : 0;
}
/* Which semaphore has a name; -1 if none has. */
static inline int __semaphore_named(const char *__name) {
  for (int __which = 0; __which < __semaphores_made; __which++) {
    const char *__own = __named_semaphores[__which].__name;
    int __at = 0;
    while (__own[__at] && __own[__at] == __name[__at]) __at++;
    if (__own[__at] == __name[__at]) return __which;
  }
  return -1;
}
static inline sem_t *sem_open(const char *__name, int __flags, ...) {
  __name = __semaphore_name(__name);
  if (!__name) {
    __library_failed(22);
    return SEM_FAILED;
  }
  pthread_mutex_lock(&__semaphores_held);
  int __which = __semaphore_named(__name), __failed = 0;
  if (__which >= 0 && (__flags & 0300) == 0300) {
    __failed = 1;
    __library_failed(17);
  } else if (__which < 0 && !(__flags & 0100)) {
    __failed = 1;
    __library_failed(2);
  } else if (__which < 0) {
    __builtin_va_list __rest;
    __builtin_va_start(__rest, __flags);
    (void)__builtin_va_arg(__rest, int);
    unsigned __value = __builtin_va_arg(__rest, unsigned);
    __builtin_va_end(__rest);
    __which = __semaphores_made;
    if (__which >= 8) __library_not_modelled("a program with more than 8 semaphores with names");
    int __at = 0;
    do {
      if (__at >= 32) __library_not_modelled("the name of a semaphore has more than 31 characters");
      __named_semaphores[__which].__name[__at] = __name[__at];
    } while (__name[__at++]);
    __failed = sem_init(&__named_semaphores[__which].__own, 0, __value);
    if (!__failed) __semaphores_made++;
  } else if (!__named_semaphores[__which].__openings)
    sem_init(&__named_semaphores[__which].__own, 0, __named_semaphores[__which].__kept);
  if (!__failed) __named_semaphores[__which].__openings++;
  pthread_mutex_unlock(&__semaphores_held);
  return __failed ? SEM_FAILED : &__named_semaphores[__which].__own;
}
/* A semaphore that nobody has open any more is used as wrongly as one that is destroyed. */
static inline int sem_close(sem_t *__semaphore) {
  pthread_mutex_lock(&__semaphores_held);
  int __which = 0;
  while (__which < __semaphores_made && __semaphore != &__named_semaphores[__which].__own) __which++;
  _Bool __open = __which < __semaphores_made && __named_semaphores[__which].__openings;
  if (__open && !--__named_semaphores[__which].__openings) {
    sem_getvalue(&__named_semaphores[__which].__own, &__named_semaphores[__which].__kept);
    sem_destroy(&__named_semaphores[__which].__own);
  }
  pthread_mutex_unlock(&__semaphores_held);
  if (__open) return 0;
  return __fails_by(22);
}
static inline int sem_unlink(const char *__name) {
  __name = __semaphore_name(__name);
  pthread_mutex_lock(&__semaphores_held);
  int __which = __name ? __semaphore_named(__name) : -1;
  if (__which >= 0) __named_semaphores[__which].__name[0] = 0;
  pthread_mutex_unlock(&__semaphores_held);
  if (__which >= 0) return 0;
  return __fails_by(2);
}
#endif
