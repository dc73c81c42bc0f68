/* POSIX semaphore.h */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H
#include <features.h>
#include <pthread_types.h>
#include <sys/types.h>
#include <time.h>
typedef struct { int __value; } sem_t;
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
/* Semaphores with names: those that this program has made. One whose name is gone serves those that have it. */
struct __named_semaphore { char __name[32]; sem_t __own; };
struct __named_semaphore __named_semaphores[8];
int __semaphores_made;
pthread_spinlock_t __semaphores_held;
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);
void __library_failed(int);
void __library_not_modelled(const char *);
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
  pthread_spin_lock(&__semaphores_held);
  int __which = __semaphore_named(__name), __made = 0;
  if (__which < 0 && __flags & 0100) {
    __builtin_va_list __rest;
    __builtin_va_start(__rest, __flags);
    (void)__builtin_va_arg(__rest, int);
    unsigned __value = __builtin_va_arg(__rest, unsigned);
    __builtin_va_end(__rest);
    if (__semaphores_made >= 8) __library_not_modelled("a program with more than 8 semaphores with names");
    int __at = 0;
    for (; __name[__at]; __at++) {
      if (__at >= 31) __library_not_modelled("the name of a semaphore has more than 31 characters");
      __named_semaphores[__semaphores_made].__name[__at] = __name[__at];
    }
    __made = 1;
    if (!sem_init(&__named_semaphores[__semaphores_made].__own, 0, __value)) __which = __semaphores_made++;
  }
  pthread_spin_unlock(&__semaphores_held);
  if (__which < 0) {
    if (!__made) __library_failed(2);
    return SEM_FAILED;
  }
  if (__made || (__flags & 0300) != 0300) return &__named_semaphores[__which].__own;
  __library_failed(17);
  return SEM_FAILED;
}
static inline int sem_close(sem_t *__semaphore) { return 0; }
static inline int sem_unlink(const char *__name) {
  pthread_spin_lock(&__semaphores_held);
  int __which = __semaphore_named(__name);
  if (__which >= 0) __named_semaphores[__which].__name[0] = 0;
  pthread_spin_unlock(&__semaphores_held);
  if (__which >= 0) return 0;
  __library_failed(2);
  return -1;
}
#endif
